"""You: the name that a person goes by, the chips, and the phrase that brings both to another device."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Final

from mnemonic import Mnemonic
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tapete.errors import BadInput, Refused
from tapete.money import CHIP
from tapete.server.forms import form_of, text
from tapete.server.live import Who
from tapete.server.pages import language_of, page
from tapete.server.site import Site, address_of, site_of
from tapete.server.visitors import remember, with_person
from tapete.store import NAME_LENGTH, STARTING, Store, Transaction

WORDS: Final = {"en": "english", "es": "spanish"}
BITS: Final = 128
LONGEST: Final = 400


@with_person
async def you(request: Request, who: Who) -> Response:
    """GET /you."""
    return await _you(request, who)


async def _you(request: Request, who: Who, *, phrase: str = "", status: int = 200, wrong: str = "") -> Response:
    at_home, at_tables = await chips(site_of(request), who)
    return page(
        request,
        "you.html",
        status=status,
        you=who.name,
        longest=NAME_LENGTH,
        at_home=at_home,
        at_tables=at_tables,
        starting=STARTING,
        least=CHIP,
        broke=at_home + at_tables < CHIP,
        phrase=phrase,
        wrong=wrong,
    )


async def chips(site: Site, who: Who) -> tuple[int, int]:
    """A person's units at home, and at open tables."""

    def look(store: Store) -> tuple[int, int]:
        lying = sum(store.racks(table.id).get(who.id, 0) for table in store.open_tables())
        return store.balance(who.id), lying

    found: tuple[int, int] = await site.books.read(look)
    return found


@with_person
async def rename(request: Request, who: Who) -> Response:
    """POST /you/name."""
    site = site_of(request)
    name = text(await form_of(request), "name")
    async with site.turn(who.id):
        if name != who.name:
            await site.people.rename(who, name)
    return RedirectResponse("/you", status_code=303)


@with_person
async def refill(request: Request, who: Who) -> Response:
    """POST /you/chips: new chips for somebody who has less than one left anywhere."""
    site = site_of(request)
    async with site.turn(who.id):
        if sum(await chips(site, who)) >= CHIP:
            raise Refused("command.not_broke", least=CHIP)
        await site.gather(who)
        await site.books.write(lambda deeds: deeds.reset(who.id))
    return RedirectResponse("/you", status_code=303)


@with_person
async def new_phrase(request: Request, who: Who) -> Response:
    """POST /you/phrase: a new phrase, shown this once; an earlier one no longer counts."""
    phrase = Mnemonic(WORDS[language_of(request)]).generate(BITS)
    digest = digest_of(phrase)

    def job(deeds: Transaction) -> None:
        deeds.keep_phrase(who.id, digest=digest)

    await site_of(request).books.write(job)
    return await _you(request, who, phrase=phrase)


async def come_back(request: Request) -> Response:
    """POST /you/return: this browser belongs to the person of the phrase from now on."""
    site = site_of(request)
    if not site.phrases.take(address_of(request)):
        raise Refused("limit.phrases")
    phrase = text(await form_of(request), "phrase")
    if not phrase or len(phrase) > LONGEST:
        raise BadInput("identity.phrase_unknown")
    digest = digest_of(phrase)
    found = await site.books.read(lambda store: store.of_phrase(digest))
    response = RedirectResponse("/you", status_code=303)
    remember(response, site, Who(*found))
    return response


def digest_of(phrase: str) -> str:
    """What is kept of a phrase. Its 128 random bits need no slow hash; accents, case and spaces do not count."""
    plain = unicodedata.normalize("NFKD", phrase.casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return hashlib.sha256(b"tapete/phrase/1|" + " ".join(letters.split()).encode()).hexdigest()
