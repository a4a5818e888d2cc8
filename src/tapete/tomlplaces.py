"""Where each key of a TOML text stands, which the standard reader does not tell.

``places(text)`` maps the path of every key, table and array element to its line. It is one pass over tokens without
recursion: linear in the text, and safe to run before the real reader, whose own recursion it guards by refusing deep
nesting. Of a text that is not valid TOML it tells what it understood; judging is the real reader's business.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final

from tapete.errors import BadInput

Path = tuple[str | int, ...]

MAX_DEPTH: Final = 32
"""Nesting, and parts of a dotted key, beyond which a text is refused."""

# A string that never ends takes the rest of its line or text, so that no text is looked at twice.
_TOKEN: Final = re.compile(
    r"""
      (?P<blank>[ \t\r]+|\#[^\n]*)
    | (?P<newline>\n)
    | (?P<string>
          \"{3} (?:[^\\]|\\.|\\\Z)*? (?:\"{3,5}|\Z)
        | '{3} .*? (?:'{3,5}|\Z)
        | " (?:[^"\\\n]|\\[^\n]|\\(?=\n|\Z))* (?:"|(?=\n)|\Z)
        | ' [^'\n]* (?:'|(?=\n)|\Z)
      )
    | (?P<mark>[\[\]{}=,.])
    | (?P<bare>[^\s\[\]{}=,.\#"']+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def places(text: str) -> dict[Path, int]:
    r"""The line (from 1) of every key, table and element of an array, by path; elements are counted from 0.

    >>> places("decks = 6\n[split]\nexclude = [\n 4,\n 5]")[("split", "exclude", 1)]
    5

    Tables of an array, ``[[round]]``, are ``("round", 0)`` and so on. Raises BadInput ``toml.too_deep`` with the line.
    """
    scan = _Scan()
    for kind, token, line in _tokens(text):
        scan.take(kind, token, line)
    return scan.found


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    line = 1
    for found in _TOKEN.finditer(text):
        kind, token = str(found.lastgroup), found[0]
        if kind != "blank":
            yield kind, token, line
        line += token.count("\n") if kind in ("newline", "string") else 0


class _Scan:
    """The state of the pass: which table, which key is being read, which arrays and inline tables are open."""

    def __init__(self) -> None:
        self.found: dict[Path, int] = {}
        self.sizes: dict[Path, int] = {}  # arrays of tables, and how many there are so far
        self.table: Path = ()
        self.parts: list[str] = []
        self.here: Path = ()
        self.open: list[tuple[Path, int | None]] = []  # arrays and inline tables; the index, None in a table
        self.state = "key"  # key, header, value, after
        self.brackets = 0

    def take(self, kind: str, token: str, line: int) -> None:
        """One token."""
        if self.state == "header":
            self._header(kind, token, line)
        elif self.state == "key":
            self._key(kind, token, line)
        else:
            self._value(kind, token, line)

    def _header(self, kind: str, token: str, line: int) -> None:
        if kind == "newline":
            self.state, self.parts = "key", []
        elif token == "[" and not self.parts:
            self.brackets = 2
        elif token == "]" and self.parts:
            self._enter(line)
        else:
            self._part(kind, token, line)

    def _enter(self, line: int) -> None:
        path: Path = ()
        for part in self.parts[:-1]:
            path = self._inside((*path, part))
            self.found.setdefault(path, line)
        path = (*path, self.parts[-1])
        self.found.setdefault(path, line)
        if self.brackets == 2:
            self.sizes[path] = self.sizes.get(path, 0) + 1
            self.found[self._inside(path)] = line
        self.table, self.parts, self.state = self._inside(path), [], "after"

    def _inside(self, path: Path) -> Path:
        return (*path, self.sizes[path] - 1) if path in self.sizes else path

    def _part(self, kind: str, token: str, line: int) -> None:
        if kind in ("bare", "string"):
            self.parts.append(_name(token) if kind == "string" else token)
            self._guard(len(self.parts), line)

    def _guard(self, depth: int, line: int) -> None:
        if depth > MAX_DEPTH:
            raise BadInput("toml.too_deep", line=line, most=MAX_DEPTH)

    def _key(self, kind: str, token: str, line: int) -> None:
        if token == "[" and not self.parts and not self.open:
            self.state, self.brackets = "header", 1
        elif token == "=" and self.parts:
            self._named(line)
        elif token == "}" and self.open:
            self._close()
        elif kind == "newline" and not self.open:
            self.parts = []
        else:
            self._part(kind, token, line)

    def _named(self, line: int) -> None:
        path = self.open[-1][0] if self.open else self.table
        for part in self.parts:
            path = (*path, part)
            self.found.setdefault(path, line)
        self.here, self.parts, self.state = path, [], "value"

    def _value(self, kind: str, token: str, line: int) -> None:
        if kind == "newline":
            if not self.open:
                self.state = "key"
        elif token == ",":
            self._next()
        elif token in ("]", "}"):
            self._close()
        elif self.state == "value":
            self._begin(token, line)

    def _begin(self, token: str, line: int) -> None:
        around, index = self.open[-1] if self.open else ((), None)
        if index is not None:
            self.here = (*around, index)
            self.found[self.here] = line
        if token in ("[", "{"):
            self.open.append((self.here, 0 if token == "[" else None))
            self._guard(len(self.open) + len(self.table), line)
        self.state = "key" if token == "{" else "value" if token == "[" else "after"

    def _next(self) -> None:
        if self.open:
            path, index = self.open.pop()
            self.open.append((path, None if index is None else index + 1))
            self.state = "key" if index is None else "value"

    def _close(self) -> None:
        if self.open:
            self.open.pop()
        self.state, self.parts = "after", []


def _name(token: str) -> str:
    """A quoted key as it reads; the token itself if its escapes are wrong."""
    try:
        return next(iter(tomllib.loads(f"{token}=0")))
    except tomllib.TOMLDecodeError:
        return token
