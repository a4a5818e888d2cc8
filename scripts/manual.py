"""Runs what the README and the manual show, and writes it anew where the program says something else now.

    python scripts/manual.py            brings every page up to date
    python scripts/manual.py README.md  brings one page up to date

A page is played from top to bottom in a folder and a data folder of its own. In a ``console`` block a line with ``$``
is a command, and what follows is what it says; in what a session says, the lines with ``> `` are also what is typed.
A line ``...`` stands for any number of lines. A ``toml`` block that begins with the name of a file is that file.
``make`` is not run: a target of that name has to exist. The tests compare (tests/docs); this only writes.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent.parent))
from hatch_build import compile_catalogues

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = (
    "README.md", "README.es.md", "docs/rules.md", "docs/es/reglas.md", "docs/playing.md", "docs/es/jugar.md",
    "docs/serving.md", "docs/charts.md", "docs/es/estrategia.md", "docs/pricing.md",
    "docs/es/precios.md", "docs/simulating.md", "docs/es/simulacion.md", "docs/indices.md",
    "docs/es/indices.md",
)  # fmt: skip
"""The pages whose commands are run."""
SPANISH: Final = ("README.es.md", "docs/es/")
ANY: Final = "..."
PROMPT: Final = "> "
_BLOCK: Final = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE: Final = re.compile(r"# ([\w.-]+\.toml)\b")
_FAULTY: Final = re.compile(r"mistakes|errores")
_SETTING: Final = re.compile(r"[A-Z_]+=")


@dataclass(frozen=True)
class Command:
    """One command of a ``console`` block, and the lines that it is shown to answer with."""

    line: str
    shown: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The command's words, without settings of the environment before it."""
        return [word for word in shlex.split(self.line) if not _SETTING.match(word)] or [""]

    @property
    def typed(self) -> str:
        """What is typed into it."""
        return "".join(f"{line.removeprefix(PROMPT)}\n" for line in self.shown if line.startswith(PROMPT))


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and where the text stands."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands of a ``console`` block."""
        parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]
        return tuple(Command(lines[0], tuple(lines[1:])) for lines in (part.splitlines() for part in parts))

    @property
    def file(self) -> str:
        """The name of the file that a ``toml`` block is; empty if it has none."""
        found = _FILE.match(self.text)
        return found[1] if found else ""

    @property
    def faulty(self) -> bool:
        """Whether a ``toml`` block is there to show mistakes."""
        return bool(_FAULTY.search(self.text.partition("\n")[0]))


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    return [Block(one[1], one[2], one.start(2), one.end(2)) for one in _BLOCK.finditer(text)]


def targets() -> set[str]:
    """What ``make`` can be asked for."""
    return set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@dataclass
class Run:
    """What one command did: the code it ended with, and what it said."""

    command: Command
    said: tuple[str, ...]
    code: int
    block: Block = field(repr=False)


def run(page: str, folder: Path) -> Iterator[Run]:
    """Plays a page in an empty folder."""
    language = "es" if page.startswith(SPANISH) else "en"
    for block in blocks((ROOT / page).read_text("utf-8")):
        if block.kind == "toml" and block.file:
            (folder / block.file).write_text(block.text, "utf-8")
        elif block.kind == "console":
            for command in block.commands:
                said, code = _do(command, folder, language)
                yield Run(command, said, code, block)


def _do(command: Command, folder: Path, language: str) -> tuple[tuple[str, ...], int]:
    if command.words[0] == "make":
        return (), 0 if command.words[1] in targets() else 2
    if command.words[0] != "tapete":
        return (f"{command.words[0]}: not a command of Tapete",), 127
    given = dict(word.split("=", 1) for word in shlex.split(command.line) if _SETTING.match(word))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "TAPETE_"))}
    own = {"TAPETE_DATA": str(folder / "data"), "TAPETE_LANG": language, "PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tapete", *command.words[1:]],
        input=command.typed, cwd=folder, env={**kept, **own, "COLUMNS": "100", **given}, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return tuple(line.rstrip() for line in done.stdout.splitlines()), done.returncode


def agrees(shown: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Whether a command says what is shown; blank lines at the end do not count.

    >>> agrees(("a", "...", "d"), ("a", "b", "c", "d")), agrees(("a", "...", "d"), ("a", "b"))
    (True, False)
    """
    pattern = "".join(r"(?:.*\n)*?" if line == ANY else re.escape(line + "\n") for line in _trimmed(shown))
    return re.fullmatch(pattern, "".join(line + "\n" for line in _trimmed(said))) is not None


def _trimmed(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without blank ones at the end."""
    return _trimmed(lines[:-1]) if lines and not lines[-1].strip() else lines


def updated(shown: tuple[str, ...], said: tuple[str, ...]) -> tuple[str, ...]:
    """What is to be shown now: what was said, with as much left out in the middle as before."""
    if agrees(shown, said):
        return shown
    if ANY not in shown:
        return said
    at = shown.index(ANY)
    tail = len(shown) - at - 1
    return (*said[:at], ANY, *(said[-tail:] if tail else ()))


def rewrite(page: str) -> bool:
    """Whether the page had to change."""
    path = ROOT / page
    before = text = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        runs = list(run(page, Path(folder)))
    for block in reversed(blocks(text)):
        mine = [one for one in runs if one.block.start == block.start]
        if mine:
            lines = [line for one in mine for line in (f"$ {one.command.line}", *updated(one.command.shown, one.said))]
            text = text[: block.start] + "\n".join(lines) + "\n" + text[block.end :]
    path.write_text(text, "utf-8")
    return text != before


if __name__ == "__main__":
    compile_catalogues(ROOT)
    for page in sys.argv[1:] or PAGES:
        print(f"{page}: {'written anew' if rewrite(page) else 'as it was'}")
