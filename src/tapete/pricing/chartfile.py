"""Chart files: a chart read from, and written as, CSV, JSON or Markdown. The format is told in docs/charts.md.

Files speak one language whoever reads them: the names of rows and columns and the letters are those of
``tapete.chart``. Reading is strict: one thing for each cell of the table, nothing twice, nothing that the table never
allows; the first fault is told with its place.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from tapete import chart as charts
from tapete.chart import Chart, Line
from tapete.errors import BadInput
from tapete.messages import why
from tapete.rules import RuleSet

HEAD: Final = "hand"
"""The first cell of the line that names the columns."""
LARGEST: Final = 1 << 20
ENDINGS: Final = (".csv", ".json", ".md")
_RULER: Final = re.compile(r":?-+:?")


class _File(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A chart in JSON; only ``columns`` and ``chart`` are read, the rest is told to who uses the file."""

    columns: tuple[str, ...]
    chart: dict[str, tuple[str, ...]]
    table: str = ""
    rules: str = ""
    strategy: str = ""
    shoe: dict[str, int] = {}
    fresh: bool = True
    ev: float = 0.0
    house_edge: float = 0.0
    compared: dict[str, Any] = {}
    exceptions: list[dict[str, Any]] = []


# --- reading --------------------------------------------------------------------------------------------------------


def is_file(name: str) -> bool:
    """Whether a strategy's name means a chart file."""
    return "/" in name or "\\" in name or Path(name).suffix.lower() in ENDINGS


def read(rules: RuleSet, file: str) -> Chart:
    """The chart of a file, for this table. Raises BadInput ``chart.…``."""
    path = Path(file)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput("chart.ending", file=file[-80:])
    text = content(path)
    lines = _json_lines(text, file) if ending == ".json" else [*(csv_lines if ending == ".csv" else _table)(text, file)]
    if not lines or lines[0].row != HEAD:
        raise BadInput("chart.no_rows", file=file, word=HEAD)
    return charts.read(rules, path.stem, lines[0], lines[1:])


def content(path: Path) -> str:
    """What stands in a file. Raises BadInput ``chart.unreadable``, ``chart.too_large``."""
    try:
        with path.open("rb") as opened:
            read = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise BadInput("chart.unreadable", file=str(path)[-80:], why=why(error)) from None
    if len(read) > LARGEST:
        raise BadInput("chart.too_large", file=str(path)[-80:], most=LARGEST // 1024)
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("chart.unreadable", file=str(path)[-80:], why="UTF-8") from None


def csv_lines(text: str, file: str) -> Iterator[Line]:
    """The lines of a CSV text with their places, remarks left out. Raises BadInput ``chart.unreadable``."""
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                yield Line(f"{file}:{reader.line_num}", cells[0], tuple(cells[1:]))
    except csv.Error as error:
        raise BadInput("chart.unreadable", file=f"{file}:{reader.line_num}", why=str(error)) from None


def _table(text: str, file: str) -> Iterator[Line]:
    """The lines of the tables whose head begins with :data:`HEAD`; a head that comes again says nothing new."""
    head: tuple[str, ...] = ()
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip().strip("`*") for cell in line.strip().strip("|").split("|")]
        inside = line.strip().startswith("|") and (inside or cells[0] == HEAD)
        if not inside or all(_RULER.fullmatch(cell) for cell in cells):
            continue
        if cells[0] == HEAD and tuple(cells) == head:
            continue
        head = head or tuple(cells)
        yield Line(f"{file}:{number}", cells[0], tuple(cells[1:]))


def _json_lines(text: str, file: str) -> list[Line]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for at, (key, _) in enumerate(pairs):
            if key in [earlier for earlier, _ in pairs[:at]]:
                raise BadInput("chart.row_twice", place=file, row=key[:40])
        return dict(pairs)

    try:
        told = msgspec.convert(json.loads(text, object_pairs_hook=once), _File)
    except json.JSONDecodeError as error:
        raise BadInput("chart.not_json", place=f"{file}:{error.lineno}") from None
    except RecursionError:
        raise BadInput("chart.not_json", place=file) from None
    except msgspec.ValidationError as error:
        where = re.search(r"`(\$[^`]*)`$", str(error)) or re.search(r"field `([^`]+)`", str(error))
        raise BadInput("chart.shape", file=file, at=where[1][:60] if where else "$") from None
    return [Line(file, HEAD, told.columns), *(Line(file, row, cells) for row, cells in told.chart.items())]


# --- writing --------------------------------------------------------------------------------------------------------


def as_csv(rules: RuleSet, chart: Chart, remarks: Iterable[str] = ()) -> str:
    """A chart as CSV, remarks before it behind ``#``."""
    out = io.StringIO()
    out.writelines(f"# {' '.join(remark.split())}\n" for remark in remarks)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((HEAD, *chart.columns))
    writer.writerows((row, *cells) for row, cells in charts.lines(rules, chart))
    return out.getvalue()


def as_markdown(rules: RuleSet, chart: Chart, before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
    """A chart as a Markdown table between lines of text."""
    rows = [(HEAD, *chart.columns), tuple("---" for _ in (HEAD, *chart.columns))]
    rows += [(row, *cells) for row, cells in charts.lines(rules, chart)]
    table = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*before, *([""] if before else []), *table, *([""] if after else []), *after]) + "\n"


def as_json(rules: RuleSet, chart: Chart) -> Mapping[str, Any]:
    """The keys of a chart in JSON."""
    return {"columns": list(chart.columns), "chart": {row: list(cells) for row, cells in charts.lines(rules, chart)}}
