"""What lies in the repository: only what belongs to the project, and dependencies pinned by name and version alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.laws.source import ROOT, SOURCE

CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
PINNED = dict(line.split("==") for line in CONSTRAINTS if "==" in line)

PAGES = {".html", ".css", ".js", ".svg"}

# Spelt in pieces, so that this file does not find itself.
FOLDERS = ["work", "root", "home", "Users", "opt", "mnt", "srv"]
HOSTS = ["python" + "hosted", "dev" + "pi", "arti" + "factory", "nex" + "us", "index" + "-url", "find" + "-links"]
PRIVATE = re.compile(
    r"(?<![\w.~>)}$-])/(?:" + "|".join(FOLDERS) + r")/\w+|(?<!\w)(?:" + "|".join(HOSTS) + r")(?!\w)", re.IGNORECASE
)


def files() -> list[Path]:
    """What git tracks or would track."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files()
        for match in PRIVATE.finditer(path.read_text("utf-8", errors="replace"))
    }
    assert found == set()


@pytest.mark.parametrize(
    "text",
    ["see /" + "work/notes", '"/' + "home/ana/x.toml", "https://files.python" + "hosted.org/x", "--index" + "-url x"],
)
def test_a_private_place_would_be_found(text: str) -> None:
    assert PRIVATE.search(text)


def test_nothing_built_is_tracked() -> None:
    assert [path.name for path in files() if path.suffix in {".mo", ".pyc", ".whl", ".tmp"}] == []


def test_constraints_are_names_and_versions_only() -> None:
    assert [line for line in CONSTRAINTS if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.!+]*", line)] == []
    names = [canonicalize_name(line.split("==")[0]) for line in CONSTRAINTS]
    assert names == sorted(set(names))


def needed(requirement: Requirement, seen: dict[str, str]) -> dict[str, str]:
    """Everything that the requirement brings with it, by name with the version installed here."""
    name = canonicalize_name(requirement.name)
    if name in seen and not requirement.extras:
        return seen
    installed = distribution(name)
    seen[name] = installed.version
    for line in installed.requires or []:
        further = Requirement(line)
        if further.marker is None or any(
            further.marker.evaluate({"extra": extra}) for extra in requirement.extras or {""}
        ):
            needed(further, seen)
    return seen


def test_every_dependency_is_pinned_at_the_version_tested_here() -> None:
    versions = needed(Requirement("tapete[dev]"), {})
    del versions["tapete"]
    assert "msgspec" in versions
    assert {canonicalize_name(name): version for name, version in PINNED.items()} == versions


def test_a_wheel_carries_every_language_and_every_table(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    carried = set(zipfile.ZipFile(wheel).namelist())
    tables = {f"tapete/presets/{path.name}" for path in (SOURCE / "presets").glob("*.toml")}
    web = SOURCE / "server"
    pages = {f"tapete/server/{path.relative_to(web)}" for path in web.rglob("*.*") if path.suffix in PAGES}
    assert len(tables) >= 5
    assert {"tapete/server/templates/base.html", "tapete/server/static/css/palette.css"} <= pages <= carried
    assert tables | {"tapete/locale/es/LC_MESSAGES/tapete.mo", "tapete/py.typed"} <= carried
    assert not {name for name in carried if name.endswith(".tmp")}
