"""Draws the picture of a simulated run that the manual shows, in both languages.

    python scripts/simulated.py            draws it into docs/charts
    python scripts/simulated.py FOLDER     draws it into another folder

The same rounds give the same picture each time, so a picture that changes is a rule, a sentence or a shape that has
changed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))
from hatch_build import compile_catalogues
from scripts.charts import COLOURS, FOLDER, LANGUAGES, LARGEST, ROOT
from tapete.cli import main

RUN: Final = ("american-6d", "--rounds", "4e6", "--count", "hi-lo", "--spread", "1-12", "--plays", "hi-lo",
              "--bankroll", "600", "--trip", "10000", "--goal", "500")  # fmt: skip
NAMES: Final = tuple(f"simulated{tail}.png" for tail in LANGUAGES.values())
SIZE: Final = (1169, 827)
__all__ = ["FOLDER", "LARGEST", "NAMES", "SIZE", "draw"]


def draw(folder: Path) -> None:
    """Draws the run's picture in both languages."""
    folder.mkdir(exist_ok=True)
    for language, tail in LANGUAGES.items():
        with tempfile.TemporaryDirectory() as made:
            drawn = Path(made) / "run.png"
            main(["simulate", *RUN, "--lang", language, "--picture", str(drawn)])
            whole = Image.open(drawn).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
        whole.quantize(COLOURS, dither=Image.Dither.NONE).save(folder / f"simulated{tail}.png", optimize=True)


if __name__ == "__main__":
    compile_catalogues(ROOT)
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
