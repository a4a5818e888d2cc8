"""Choices of a reader that a cookie keeps: the language and the colours."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tapete.errors import BadInput
from tapete.server.forms import form_of, text
from tapete.server.pages import LANGUAGE, THEME, THEMES
from tapete.server.site import site_of
from tapete.server.visitors import set_cookie
from tapete.words import LANGUAGES


async def language(request: Request) -> Response:
    """POST /lang."""
    return await _chosen(request, "lang", LANGUAGES, LANGUAGE)


async def theme(request: Request) -> Response:
    """POST /theme."""
    return await _chosen(request, "theme", THEMES, THEME)


async def _chosen(request: Request, field: str, allowed: tuple[str, ...], cookie: str) -> Response:
    form = await form_of(request)
    value = text(form, field)
    if value not in allowed:
        raise BadInput("form.unreadable", field=field)
    response = RedirectResponse(_back(text(form, "back")), status_code=303)
    set_cookie(response, site_of(request), cookie, value, hidden=False)
    return response


def _back(path: str) -> str:
    """A path of this house to go back to: never another host's, whatever a form says."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if plain and len(path) < 300 else "/"
