"""Forms: small ones, read with their limits."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from tapete.errors import BadInput

MOST_BYTES: Final = 96 << 10
"""Of a whole form; a rule file in it has its own limit."""
MOST_FIELDS: Final = 40
MOST_IN_A_FILE: Final = 64 << 10


async def form_of(request: Request) -> FormData:
    """The fields of a form. Raises HTTPException 400 for what is none."""
    return await request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=MOST_IN_A_FILE)


def too_large(request: Request) -> bool:
    """Whether a form is larger than any of ours, or does not say how large it is."""
    length = request.headers.get("content-length", "")
    return not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES


def text(form: FormData, name: str) -> str:
    """A field of a form without the spaces around it; "" if it is missing. Raises BadInput ``form.unreadable``."""
    found = form.get(name, "")
    if not isinstance(found, str):
        raise BadInput("form.unreadable", field=name)
    return found.strip()


async def file(form: FormData, name: str) -> bytes:
    """The file in a field; empty if none was chosen. Raises BadInput ``form.too_large``."""
    found = form.get(name)
    if not isinstance(found, UploadFile):
        return b""
    content = await found.read(MOST_IN_A_FILE + 1)
    if len(content) > MOST_IN_A_FILE:
        raise BadInput("form.too_large", most=MOST_IN_A_FILE >> 10)
    return content
