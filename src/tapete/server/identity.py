"""Identity: who sits behind a browser, by a signed cookie that holds the number of a person and nothing else."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from pathlib import Path
from typing import Any, Final

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection

from tapete import places
from tapete.errors import BadInput, Refused
from tapete.server.books import Books
from tapete.server.live import Who
from tapete.store import Transaction
from tapete.words import N_, Words

COOKIE: Final = "tapete_me"
KEY_FILE: Final = "cookies.key"
_RESERVED: Final = re.compile(
    r"(bot|box|casilla)[\s_-]*\d*\Z|(casa|la casa|house|the house|dealer|crupier)\Z", re.IGNORECASE
)
"""What the table calls bots, boxes and the house: nobody sits down as one of them."""
GUESTS: Final = (
    N_("Otter"),
    N_("Heron"),
    N_("Lynx"),
    N_("Swift"),
    N_("Marten"),
    N_("Finch"),
    N_("Badger"),
    N_("Kestrel"),
    N_("Hedgehog"),
    N_("Magpie"),
    N_("Dolphin"),
    N_("Cricket"),
)
"""What guests are called at first, with a number behind it."""


def signing_key(folder: Path) -> bytes:
    """The key that signs cookies and links of this data folder; made for its owner alone at first."""
    path = places.private_file(folder / KEY_FILE)
    key = path.read_bytes()
    if len(key) < 32:
        key = secrets.token_bytes(32)
        path.write_bytes(key)
    return key


def signer(key: bytes, *, salt: str) -> URLSafeSerializer:
    """What signs small values for one purpose and reads them back."""
    return URLSafeSerializer(key, salt=salt, signer_kwargs={"digest_method": hashlib.sha256})


def unsigned(signed_by: URLSafeSerializer, text: str) -> Any:
    """What was signed; None for anything forged, foreign or broken."""
    try:
        return signed_by.loads(text) if len(text) < 500 else None
    except BadSignature:
        return None


class People:
    """The people of a server by their cookies."""

    def __init__(self, books: Books, key: bytes) -> None:
        self._books = books
        self._signer = signer(key, salt="tapete/me/1")
        self._names: dict[int, str] = {}

    async def of(self, connection: HTTPConnection) -> Who | None:
        """Whose cookie the connection brings; None for no cookie, a forged one, or one of another house."""
        number = unsigned(self._signer, connection.cookies.get(COOKIE, ""))
        return await self.known(number) if isinstance(number, int) and not isinstance(number, bool) else None

    async def known(self, number: int) -> Who | None:
        """The person with that number, as called now."""
        if number not in self._names:
            try:
                found = await self._books.read(lambda store: store.known(number))
            except Refused:
                return None
            self._names.setdefault(number, found.name)
        return Who(number, self._names[number])

    def cookie(self, who: Who) -> str:
        """The cookie of a person."""
        return str(self._signer.dumps(who.id))

    async def welcome(self, words: Words) -> Who:
        """A new guest with a friendly name."""
        name = f"{words.say(secrets.choice(GUESTS))} {secrets.randbelow(90) + 10}"

        def job(deeds: Transaction) -> Who:
            return Who(*deeds.newcomer(name))

        return self._remember(await self._books.write(job))

    async def rename(self, who: Who, name: str) -> Who:
        """The person under another name. Raises BadInput or Refused."""
        if _RESERVED.match(unicodedata.normalize("NFKC", name).strip()):
            raise BadInput("person.name_reserved", name=name)

        def job(deeds: Transaction) -> Who:
            return Who(*deeds.rename(who.id, name))

        return self._remember(await self._books.write(job))

    def _remember(self, who: Who) -> Who:
        self._names[who.id] = who.name
        return who
