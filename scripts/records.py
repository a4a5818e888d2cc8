"""The tables of docs/records.md in both languages: what the scripts of long runs write there.

A table stands between ``<!-- NAME -->`` and ``<!-- /NAME -->``; the words around it are written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = {"en": ROOT / "docs" / "records.md", "es": ROOT / "docs" / "es" / "registros.md"}
Cell = str | int | float | tuple[float, int]
"""A word, a whole number, a z-score, or a number with its digits behind the point."""
SPANISH: Final[Mapping[str, str]] = {
    "Table": "Mesa", "Boxes": "Casillas", "Rounds": "Rondas", "Played": "Jugado", "Counted": "Calculado",
    "Standard error": "Error estándar", "Mean": "Media", "Variance": "Varianza", "What": "Qué",
    "mean": "media", "variance": "varianza", "the farthest of all boxes": "la más lejana de todas las casillas",
    "laid": "apostado en las manos", "blackjack": "blackjacks", "retire": "retiradas", "split": "separaciones",
    "win": "rondas ganadas", "push": "rondas igualadas", "loss": "rondas perdidas",
    "distribution": "todos los resultados: χ²", "Published": "Publicado",
    "By the law": "Según la ley", "Ours": "Aquí", "Difference": "Diferencia",
    "Source": "Fuente",
}  # fmt: skip
ENGLISH: Final[Mapping[str, str]] = {
    "laid": "laid on hands", "blackjack": "blackjacks", "retire": "hands retired", "split": "splits",
    "win": "rounds won", "push": "rounds even", "loss": "rounds lost", "distribution": "all results: χ²",
}  # fmt: skip
WORDS: Final = {"en": ENGLISH, "es": SPANISH}
PHRASES: Final[Mapping[str, str]] = {
    ": mean": ": media", ": variance": ": varianza", ": covariance": ": covarianza", ": win": ": ganadas",
    ": push": ": igualadas", ": lose": ": perdidas", "true count": "cuenta verdadera",
    "Stand on soft 17": "Plantarse con 17 blando", "Double after split allowed": "Doblar después de separar",
    "Surrender allowed": "Retirada permitida", "Re-split aces allowed": "Volver a separar ases",
    "Eight decks": "Ocho barajas", "Two decks": "Dos barajas", "double any": "doblar con todo",
    "double 10-11": "doblar con 10-11", " hands": " manos", " left": " restantes", " peek": " con mirada",
    "off-the-top edge": "ventaja con el sabot entero", "with cut card (player)": "con carta de corte (jugador)",
    "(other quotation)": "(otra cita)", "another quotation": "otra cita",
    "blackjackinfo-style quotation (net result of the round)": "cita como la de blackjackinfo (resultado de la ronda)",
    "(Ask the Wizard, from appendix 4)": "(Ask the Wizard, del apéndice 4)", "counter edge": "ventaja de quien cuenta",
    " spread": " de apuesta", "decks dealt": "barajas repartidas", " decks": " barajas",
    "SD per round": "desviación típica por ronda",
}  # fmt: skip
"""Parts of the names of published figures."""


class Found(NamedTuple):
    """A figure that was played and the one that was counted, with its distance in standard errors."""

    table: str
    what: str
    boxes: int
    rounds: int
    played: float
    counted: float
    error: float

    @property
    def z(self) -> float:
        """How many standard errors they are apart."""
        return (self.played - self.counted) / self.error


Table = tuple[Sequence[str], Sequence[Sequence[Cell]]]


def means(found: Sequence[Found]) -> Table:
    """Means with the control variate."""
    head = ("Table", "Boxes", "Rounds", "Played", "Counted", "Standard error", "z")
    return head, [
        (f"`{one.table}`", one.boxes, one.rounds, (one.played, 8), (one.counted, 8), (one.error, 8), one.z)
        for one in found
    ]


def plain(found: Sequence[Found]) -> Table:
    """Means and variances without it; of several boxes the one that is farthest off."""
    head = ("Table", "Boxes", "Rounds", "What", "Played", "Counted", "z")
    chosen = [one for one in found if one.what in ("mean", "variance")]
    shown = []
    for (table, boxes), of in groupby(chosen, lambda one: (one.table, one.boxes)):
        alike = list(of)
        for what in ("mean", "variance"):
            far = max((one for one in alike if one.what == what), key=lambda one: abs(one.z))
            shown.append((f"`{table}`", boxes, far.rounds, what, (far.played, 6), (far.counted, 6), far.z))
    return head, shown


def rates(found: Sequence[Found]) -> Table:
    """Rates and distributions."""
    head = ("Table", "What", "Played", "Counted", "z")
    chosen = [one for one in found if one.what not in ("mean", "variance")]
    digits = {"distribution": 1}
    return head, [
        (f"`{one.table}`", one.what, (one.played, digits.get(one.what, 7)),
         (one.counted, 0 if one.what in digits else 7), one.z)
        for one in chosen
    ]  # fmt: skip


# --- pages ----------------------------------------------------------------------------------------------------------


def tell(shown: Mapping[str, Table], *, write: bool) -> None:
    """Prints the tables, and writes them into the pages."""
    for name, table in shown.items():
        print(markdown(table, "en"))
        for language, page in PAGES.items() if write else ():
            text = page.read_text("utf-8")
            page.write_text(put(text, name, markdown(table, language)), "utf-8")


def put(text: str, name: str, table: str) -> str:
    """The page with that table in its place. Raises ValueError where there is none."""
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not place.search(text):
        raise ValueError(name)
    return place.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text)


def markdown(table: Table, language: str) -> str:
    """The table in a language."""
    head, rows = table
    words = WORDS[language]
    right = [not isinstance(cell, str) for cell in rows[0]]
    lines = [_line(words.get(one, one) for one in head), _line("---:" if one else "---" for one in right)]
    return "\n".join([*lines, *(_line(_cell(cell, language) for cell in row) for row in rows), ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _said(text: str, language: str) -> str:
    told = WORDS[language].get(text, text)
    for english, spanish in PHRASES.items() if language == "es" and told == text else ():
        told = told.replace(english, spanish)
    return told


def _cell(cell: Cell, language: str) -> str:
    if isinstance(cell, str):
        return _said(cell, language)
    if isinstance(cell, int):
        told = f"{cell:,}"
    else:
        number, digits = cell if isinstance(cell, tuple) else (cell, 2)
        told = f"{number:,.{digits}f}"
        told = told.replace("-", "−") if number < 0 else told
    return told.translate(str.maketrans(",.", ".,")) if language == "es" else told
