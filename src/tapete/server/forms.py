"""Forms: small ones, read with their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

from tapete.errors import BadInput

Form = Mapping[str, str | bytes]
MOST_BYTES: Final = 96 << 10
"""Of a whole form; a rule file in it has its own limit."""
MOST_FIELDS: Final = 40
MOST_IN_A_FILE: Final = 64 << 10


async def form_of(request: Request) -> Form:
    """The fields of a form; its file is read and closed. Raises HTTPException 400 for what is none."""
    found = await request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=MOST_IN_A_FILE)
    try:
        return {name: one if isinstance(one, str) else await one.read() for name, one in found.items()}
    finally:
        await found.close()


def too_large(request: Request) -> bool:
    """Whether a form is larger than any of ours, or does not say how large it is."""
    length = request.headers.get("content-length", "")
    return not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES


def text(form: Form, name: str) -> str:
    """A field of a form without the spaces around it; "" if it is missing. Raises BadInput ``form.unreadable``."""
    found = form.get(name, "")
    if not isinstance(found, str):
        raise BadInput("form.unreadable", field=name)
    return found.strip()


def file(form: Form, name: str) -> bytes:
    """The file in a field; empty if none was chosen. Raises BadInput ``form.too_large``."""
    found = form.get(name)
    if not isinstance(found, bytes):
        return b""
    if len(found) > MOST_IN_A_FILE:
        raise BadInput("form.too_large", most=MOST_IN_A_FILE >> 10)
    return found
