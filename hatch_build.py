"""Build hook: compiles the catalogues, so that wheels and editable installs both speak every language."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path("src/tapete/locale")


def compile_catalogue(po: Path) -> Path:
    """The ``.mo`` file written beside ``po``; a reader sees the old one or the new one, never half of it."""
    mo, fresh = po.with_suffix(".mo"), po.with_suffix(f".{os.getpid()}.tmp")
    with po.open("rb") as source:
        catalogue = read_po(source, locale=po.parts[-3], abort_invalid=True)
    with fresh.open("wb") as target:
        write_mo(target, catalogue)
    return fresh.replace(mo)


def compile_catalogues(root: Path) -> list[Path]:
    """All ``.mo`` files of the project at ``root``, newly written."""
    return [compile_catalogue(po) for po in sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po"))]


class CatalogueHook(BuildHookInterface[Any]):
    """Called by hatchling before a wheel or an editable install is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's signature)
        """Compile, unless this is the sdist, which carries the sources only."""
        if self.target_name == "wheel":
            compile_catalogues(Path(self.root))
