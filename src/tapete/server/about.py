"""What does not change about a table, for those who come to it: its rule set, its titles, its line on the felt."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tapete.rulecard import felt_line
from tapete.rules import digest, switches
from tapete.rulevalues import to_text
from tapete.server.messages import About
from tapete.words import LANGUAGES, words

if TYPE_CHECKING:
    from tapete.server.live import Config


@lru_cache(maxsize=512)
def _felt(language: str, rules: object) -> str:
    return felt_line(rules, words(language))  # type: ignore[arg-type]


def about(config: Config) -> About:
    """The table in short, in both languages."""
    preset = config.preset
    return About(
        code=config.code,
        title={language: preset.title.in_(language) for language in LANGUAGES},
        preset=preset.id,
        digest=digest(preset.rules),
        rules={key: to_text(key, value) for key, value in switches(preset.rules).items()},
        clauses={key: list(found) for key, found in preset.clauses.items()},
        felt={language: _felt(language, preset.rules) for language in LANGUAGES},
        pace=config.pace,
        private=config.private,
        verbs=preset.rules.ui_verbs,
    )
