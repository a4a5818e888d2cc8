"""The page's scripts, run by Node.js: what they answer is what a browser answers.

Without Node.js these tests fail and say so. Nobody has to have it to play.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.laws.source import ROOT, SOURCE

SCRIPTS = SOURCE / "server" / "static" / "js" / "fair"
VECTORS = ROOT / "tests" / "data" / "fairness_vectors.json"
OWN = Path(__file__).parent
ENOUGH = 120


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.fail("Node.js is not here, and the page's scripts cannot be tried: install it (apt-get install nodejs)")
    return found


def workshop(folder: Path) -> Path:
    """The scripts in a folder where every Node.js takes them for modules."""
    shutil.copytree(SCRIPTS, folder / "fair", dirs_exist_ok=True)
    for script in OWN.glob("*.mjs"):
        shutil.copy(script, folder)
    shutil.copy(VECTORS, folder / "vectors.json")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return folder


def answers(folder: Path, questions: Sequence[dict[str, Any]]) -> list[Any]:
    """What answers.mjs says to each question."""
    ran = subprocess.run(
        [node(), str(workshop(folder) / "answers.mjs")],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=ENOUGH,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: list[Any] = json.loads(ran.stdout)
    assert len(found) == len(questions)
    return found
