"""Takes the pictures that the README and the manual show: real tables on a real server, in a real Chromium.

    python scripts/screenshots.py         takes them into docs/img
    python scripts/screenshots.py FOLDER  takes them into another folder

The shoe is the same each time. A picture can still differ by a few pixels from one Chromium, or one font, to the next;
so no test compares them: what is tested is that this script takes all of them, and that each is small enough.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from tapete import fairness
from tapete.rulefile import Preset, preset
from tapete.rules import digest
from tapete.server.live import Config
from tapete.server.registry import KIND
from tapete.store import Store

IMAGES: Final = Path(__file__).parent.parent / "docs" / "img"
LANGUAGES: Final = {"en": "", "es": ".es"}
"""What stands behind the name of a picture in each language."""
WIDE: Final = (1200, 740)
PHONE: Final = (360, 740)
NAMES: Final = tuple(f"{name}{tail}.png" for tail in LANGUAGES.values() for name in ("table", "lobby", "phone"))
LARGEST: Final = 150_000
"""Bytes of a picture."""
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--font-render-hinting=none",
)  # fmt: skip
LIKED: Final = '{"speed": "none", "seeds": false, "log": false}'


def take(folder: Path, *, chromium: str) -> None:
    """Takes every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for language, tail in LANGUAGES.items():
            _take_in(browser, language, folder, tail)
        browser.close()


def _take_in(browser: Browser, language: str, folder: Path, tail: str) -> None:
    with tempfile.TemporaryDirectory() as data, _house(Path(data)) as url:
        ana = _guest(browser, url, "Ana", language=language)
        bea = _guest(browser, url, "Bea", language=language)
        _to_my_turn(ana, bea, url, "casino")
        ana.screenshot(path=folder / f"table{tail}.png")
        carl = _guest(browser, url, "Carl", language=language, size=PHONE)
        _to_my_turn(carl, None, url, "home")
        carl.screenshot(path=folder / f"phone{tail}.png")
        dora = _guest(browser, url, "Dora", language=language)
        _open(dora, url, preset="british", pace="relaxed")
        _sit(dora, 4)
        eva = _guest(browser, url, "Eva", language=language)
        eva.goto(url)
        eva.screenshot(path=folder / f"lobby{tail}.png")
        for page in (ana, bea, carl, dora, eva):
            page.context.close()


# --- the house ------------------------------------------------------------------------------------------------------


@contextmanager
def _house(data: Path) -> Iterator[str]:
    """A server with two tables whose shoes are known; its address."""
    with Store(data) as store:
        for game in ("casino", "home"):
            _lay(store, preset(game), game)
    command = [sys.executable, "-m", "tapete", "serve", "--port", "0", "--lang", "en"]
    where = {**os.environ, "TAPETE_DATA": str(data)}
    with subprocess.Popen(command, env=where, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://127\S+", line) for line in process.stdout)))
        try:
            yield found[0]
        finally:
            process.terminate()


def _lay(store: Store, chosen: Preset, name: str) -> None:
    config = Config(chosen, name, "instant", private=True)
    with store.transaction() as deeds:
        which = deeds.open_table(kind=KIND, name=name, config=msgspec.json.encode(config))
        shoe = f"t{which}-1"
        deeds.add_shoe(f"{which}/{shoe}", table=which, secret=_secret(chosen, shoe).raw)
    store.release(which)


def _secret(chosen: Preset, shoe: str) -> fairness.Secret:
    """The first shoe in which nobody has an ace, and the box in the middle of three may double against a small card."""
    rules, number = chosen.rules, 0
    while True:
        number += 1
        secret = fairness.seeded_secret(number)
        opened = fairness.begin(secret, shoe_id=shoe, rules_digest=digest(rules), rules=rules)
        cards = fairness.order(fairness.cut(fairness.close(opened), at=0), secret)[:12]
        mine = cards[1].points + cards[5].points
        if all(one.points > 1 for one in cards) and mine in (10, 11) and 4 <= cards[3].points <= 6:
            return secret


# --- the people -----------------------------------------------------------------------------------------------------


def _guest(browser: Browser, url: str, name: str, *, language: str, size: tuple[int, int] = WIDE) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=language, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(20_000)
    context.add_init_script(f"localStorage.setItem('tapete.prefs', {LIKED!r})")
    page = context.new_page()
    page.goto(url)
    context.request.post(f"{url}/you/name", form={"name": name}, headers={"Origin": url})
    return page


def _open(page: Page, url: str, **form: str) -> None:
    answer = page.context.request.post(f"{url}/tables", form={**form, "who": "public"}, headers={"Origin": url})
    page.goto(answer.url)


def _to_my_turn(one: Page, other: Page | None, url: str, code: str) -> None:
    """Sits a person down at the third box, between a bot and somebody else, and deals."""
    one.goto(f"{url}/t/{code}")
    _sit(one, 3)
    if one.locator("[data-do=menu]").count():
        one.locator("[data-do=menu]").click()
    one.locator("[data-do=people]").first.click()
    for box in (1,) if other else (1, 5):
        one.locator(f"[data-do=bot][data-box='{box}']").click()
    one.locator("[data-do=close-dialog]").click()
    if other:
        other.goto(f"{url}/t/{code}")
        _sit(other, 5)
        _bet(other, chip=3)
    _bet(one, chip=2)
    one.locator(".move.live").first.wait_for()
    one.mouse.move(0, 0)


def _sit(page: Page, box: int) -> None:
    page.locator(f".felt [data-do=sit][data-box='{box}']").click()
    page.locator(".box.mine").first.wait_for()


def _bet(page: Page, *, chip: int) -> None:
    page.locator("[data-do=chip]").nth(chip).click()
    page.locator("[data-do=deal]:not([aria-disabled])").click()
    page.locator("[data-do=deal][aria-pressed=true], #table:not([data-phase=bets])").first.wait_for(state="attached")


if __name__ == "__main__":
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        sys.exit("Chromium is needed (apt-get install chromium).")
    take(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES, chromium=found)
