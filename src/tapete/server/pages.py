"""Pages: HTML from the templates, in the reader's language and colours."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from tapete.server import assets
from tapete.words import LANGUAGES, Words, words

TEMPLATES: Final = Path(__file__).parent / "templates"
LANGUAGE: Final = "tapete_lang"
THEME: Final = "tapete_theme"
THEMES: Final = ("auto", "light", "dark")
LANGUAGE_NAMES: Final = {"en": "English", "es": "Español"}


@cache
def templates() -> jinja2.Environment:
    """The templates; everything they are told is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals.update(static=assets.address, languages=LANGUAGES, language_names=LANGUAGE_NAMES, themes=THEMES)
    return made


def language_of(connection: HTTPConnection) -> str:
    """The reader's language: the cookie, then what the browser accepts, else English."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    return _accepted(connection.headers.get("accept-language", "")) or "en"


def _accepted(header: str) -> str:
    """The language of ours that an Accept-Language header likes best, the first of equals; "" for none."""
    best, weight = "", 0.0
    for part in header[:500].split(","):
        name, _, quality = part.strip().partition(";")
        language = name.strip().lower().split("-")[0]
        liked = _quality(quality)
        if language in LANGUAGES and liked > weight:
            best, weight = language, liked
    return best


def _quality(text: str) -> float:
    if not text.strip():
        return 1.0
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 0.0


def words_of(connection: HTTPConnection) -> Words:
    """The words of the reader's language."""
    return words(language_of(connection))


def theme_of(connection: HTTPConnection) -> str:
    """The colours that the reader chose: auto, light or dark."""
    chosen = connection.cookies.get(THEME, "")
    return chosen if chosen in THEMES else "auto"


def page(request: Request, template: str, *, status: int = 200, **facts: Any) -> HTMLResponse:
    """The page of a template with these facts."""
    spoken = words_of(request)
    told = {
        "say": spoken.say,
        "plural": spoken.plural,
        "amount": spoken.amount,
        "lang": spoken.language,
        "theme": theme_of(request),
        "path": request.url.path,
        "you": "",
    }
    body = templates().get_template(template).render({**told, **facts})
    return HTMLResponse(body, status_code=status, headers={"Cache-Control": "no-store", "Vary": "Cookie"})
