"""Draws the strategy charts that the manual shows: those of the five tables, in both languages.

    python scripts/charts.py            draws them into docs/charts
    python scripts/charts.py FOLDER     draws them into another folder

The same program draws the same picture each time, so a picture that changes is a strategy, a sentence or a shape that
has changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))
from hatch_build import compile_catalogues
from tapete.pricing import drawing, priced
from tapete.pricing.charted import charted
from tapete.rulefile import FOUNDING
from tapete.words import words

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs" / "charts"
LANGUAGES: Final = {"en": "", "es": ".es"}
"""What stands behind the name of a picture in each language."""
NAMES: Final = tuple(f"{name}{tail}.png" for tail in LANGUAGES.values() for name in FOUNDING)
DOTS: Final = 100
"""Dots to the inch: enough for a screen; ``tapete chart --picture`` draws for paper."""
COLOURS: Final = 64
LARGEST: Final = 100_000
"""Bytes of a picture."""


def draw(folder: Path, tables: Sequence[str] = FOUNDING) -> None:
    """Draws the charts of these tables."""
    folder.mkdir(exist_ok=True)
    for name in tables:
        found = charted(priced.table(name), "")
        for language, tail in LANGUAGES.items():
            whole = Image.open(BytesIO(drawing.picture(found, words(language), "png", dots=DOTS))).convert("RGB")
            whole.quantize(COLOURS, dither=Image.Dither.NONE).save(folder / f"{name}{tail}.png", optimize=True)


if __name__ == "__main__":
    compile_catalogues(ROOT)
    draw(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
