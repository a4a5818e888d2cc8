"""The page /verify in a real browser, at a plain http address, where the browser has no cryptography to give."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tapete import history, rulefile
from tapete.messages import MESSAGES
from tapete.server.app import application
from tapete.server.live import Config
from tapete.server.registry import KIND
from tapete.server.settings import NO_LIMITS, Settings
from tapete.store import Store
from tapete.table import ShoeRetired
from tests.fair.games import SHORT, a_file
from tests.laws.source import SOURCE

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP mesa.test 127.0.0.1"]
SCRIPT = SOURCE / "server" / "static" / "js" / "verify-page.js"
CODE = "probe_-1"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short shoes and more, all of them revealed."""
    with Store(tmp_path_factory.mktemp("games")) as store:
        return a_file(store, "casino", rounds=7, settings=SHORT)


def keep_table(store: Store, file: Path) -> None:
    """A closed table of the house whose rounds and reveals are those of the file."""
    told = history.load(file)
    preset = rulefile.resolve("casino", SHORT)
    config = Config(preset, CODE)
    with store.transaction() as deeds:
        which = deeds.open_table(kind=KIND, name=CODE, config=msgspec.json.encode(config))
        for record in told.records:
            deeds.save_round(which, number=record.number, text=history.round_block(record))
        deeds.append(which, [msgspec.json.encode(ShoeRetired(shoe)) for shoe in told.reveals], first_seq=1)
        deeds.close_table(which)


@pytest.fixture(scope="module")
def address(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The web table under a name that is neither https nor this machine's own: no secure context."""
    store = Store(tmp_path_factory.mktemp("house"))
    keep_table(store, file)
    app = application(store, Settings(limits=NO_LIMITS))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    yield f"http://mesa.test:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("Chromium is not here, and the page cannot be tried: install it (apt-get install chromium)")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


class Visit:
    """A page with all that it said to its console and asked of the network."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        self.requests: list[Request] = []
        page.on("console", lambda told: self._hear(told.type, told.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", self._ask)

    def _ask(self, request: Request) -> None:
        self.requests.append(request)

    def _hear(self, kind: str, text: str) -> None:
        # The browser's own remark about any page at a plain http address.
        if kind in ("error", "warning") and "header has been ignored, because the URL's origin was untrust" not in text:
            self.faults.append(text)

    def choose(self, path: Path) -> None:
        self.page.locator("#verify-file:enabled").set_input_files(path)
        self.wait()

    def wait(self) -> None:
        self.page.locator("#verify[data-outcome]").wait_for()

    @property
    def outcome(self) -> str | None:
        return self.page.locator("#verify").get_attribute("data-outcome")

    @property
    def outcomes(self) -> list[str | None]:
        return [one.get_attribute("data-outcome") for one in self.page.locator("article.shoe").all()]

    @property
    def said(self) -> str:
        return self.page.locator("#verify").inner_text()


def opened(browser: Browser, address: str, *, language: str = "en", query: str = "", width: int = 1000) -> Visit:
    page = browser.new_page(locale=language, viewport={"width": width, "height": 800})
    visit = Visit(page)
    page.goto(f"{address}/verify{query}")
    return visit


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    one = opened(browser, address)
    yield one
    assert one.faults == []
    one.page.close()


def another_suit(line: re.Match[str]) -> str:
    return f'{line[1]}{"h" if line[2] == "s" else "s"}"'


def changed(file: Path, tmp_path: Path, pattern: str, new: str | Callable[[re.Match[str]], str]) -> Path:
    text, count = re.subn(pattern, new, file.read_text("utf-8"), count=1)
    assert count == 1
    other = tmp_path / "other.bjh"
    other.write_text(text, "utf-8")
    return other


# --- without the browser's cryptography -----------------------------------------------------------------------------


def test_an_honest_file_is_in_order_where_the_browser_has_no_cryptography(visit: Visit, file: Path) -> None:
    assert visit.page.evaluate("isSecureContext") is False
    assert visit.page.evaluate("typeof crypto.subtle") == "undefined"
    visit.choose(file)
    assert visit.outcomes == ["ok"] * len(history.load(file).reveals)
    assert "OK, as promised" in visit.said
    assert "Seeds promised: 2; opened: 1." in visit.said


def test_nothing_leaves_the_page(visit: Visit, file: Path, address: str) -> None:
    visit.page.locator("#verify-file:enabled").wait_for()
    for _ in range(250):  # the browser fetches the page's icon when it likes, and that is not of the file
        if any("/static/img/icon." in one.url for one in visit.requests):
            break
        visit.page.wait_for_timeout(20)
    before = len(visit.requests)
    visit.choose(file)
    visit.page.wait_for_timeout(200)
    assert [one.url for one in visit.requests[before:]] == []
    assert {one.method for one in visit.requests} == {"GET"}
    assert all(one.url.startswith(address) for one in visit.requests)


def test_seeds_come_from_the_browser_where_it_has_no_cryptography(visit: Visit) -> None:
    seed, promised = visit.page.evaluate(
        "async () => { const fair = await import('/static/js/fair/verify.js');"
        " const seed = fair.newSeed(); return [seed, fair.seedHash(seed)]; }"
    )
    assert re.fullmatch(r"[0-9a-f]{64}", seed)
    assert re.fullmatch(r"[0-9a-f]{64}", promised)
    assert seed != promised


# --- outcomes -------------------------------------------------------------------------------------------------------


def test_a_changed_card_is_a_mismatch_with_its_place_and_round(visit: Visit, file: Path, tmp_path: Path) -> None:
    visit.choose(changed(file, tmp_path, r'("b1 card (?:10|.))([hdcs])"', another_suit))
    assert visit.outcomes[0] == "mismatch"
    assert "Mismatch, not as promised" in visit.said
    assert re.search(r"The card at place \d+ \(counted from 0\) should be", visit.said)
    assert "That was in round 1." in visit.said


def test_a_shoe_is_pending_until_its_secret_is_out(visit: Visit, file: Path, tmp_path: Path) -> None:
    text = file.read_text("utf-8")
    other = tmp_path / "pending.bjh"
    other.write_text(re.sub(r"(?m)^secret = .*\n", "", text), "utf-8")
    visit.choose(other)
    assert set(visit.outcomes) == {"pending"}
    assert visit.outcome == "pending"
    assert "It cannot be checked yet" in visit.said


@pytest.mark.parametrize(("language", "told"), [("en", "This is no history"), ("es", "Esto no es")])
def test_another_file_is_refused_in_words(
    browser: Browser, address: str, tmp_path: Path, language: str, told: str
) -> None:
    visit = opened(browser, address, language=language)
    path = tmp_path / "photo.bjh"
    path.write_text("hello", "utf-8")
    visit.choose(path)
    assert visit.outcome == "unreadable"
    assert told in visit.said
    assert visit.outcomes == []
    visit.page.close()


def test_a_second_file_takes_the_place_of_the_first(visit: Visit, file: Path, tmp_path: Path) -> None:
    bad = changed(file, tmp_path, r'(?m)^secret = "......', 'secret = "ffffff')
    visit.choose(bad)
    assert visit.outcome == "mismatch"
    visit.choose(file)
    visit.page.locator("#verify[data-outcome=ok]").wait_for()
    assert "mismatch" not in visit.outcomes


def test_a_file_can_be_dropped(visit: Visit, file: Path) -> None:
    visit.page.locator("#verify-file:enabled").wait_for()
    dropped = visit.page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'x.bjh')); return all; }",
        file.read_text("utf-8"),
    )
    visit.page.dispatch_event(".drop", "drop", {"dataTransfer": dropped})
    visit.wait()
    assert visit.outcome == "ok"


# --- what was kept before the bets ----------------------------------------------------------------------------------


def keep(visit: Visit, shoe: str, commitment: str, *, seed: str = "", table: str = CODE) -> None:
    """What the page of a table keeps when it is told of a shoe, by its own script."""
    visit.page.evaluate(
        "async ([id, commitment, seed, code]) => {"
        " const { Fair } = await import('/static/js/fair.js');"
        " new Fair({ state: { about: { code } } }).keep({ id, commitment, packs: [1] }, seed ? { seed } : {}); }",
        [shoe, commitment, seed, table],
    )


def test_the_commitment_kept_before_the_bets_is_compared(browser: Browser, address: str, file: Path) -> None:
    page = browser.new_context(locale="en").new_page()
    visit = Visit(page)
    page.goto(f"{address}/verify")
    first, second = history.load(file).reveals[:2]
    keep(visit, first.id, first.commitment)
    keep(visit, second.id, "0" * 64)
    keep(visit, "t1-99", "1" * 64)
    visit.choose(file)
    assert visit.outcomes[:2] == ["ok", "mismatch"]
    assert visit.said.count("This browser kept the same commitment before the bets.") == 1
    assert f"Before the bets this browser was shown another commitment: {'0' * 64}." in visit.said
    assert "t1-99" in visit.said
    page.goto(f"{address}/verify?t={CODE}")
    visit.wait()
    assert visit.outcomes[:2] == ["ok", "mismatch"]
    page.context.close()


def test_ones_own_seed_is_found_in_the_list(browser: Browser, address: str, file: Path) -> None:
    page = browser.new_context(locale="en").new_page()
    visit = Visit(page)
    page.goto(f"{address}/verify")
    first, second = history.load(file).reveals[:2]
    keep(visit, first.id, first.commitment, seed=first.opened[0])
    keep(visit, second.id, second.commitment, seed="ab" * 32)
    visit.choose(file)
    assert visit.said.count("Your own seed is in the list and opened") == 1
    assert visit.said.count("Your own seed is not in the list") == 1
    page.context.close()


def test_two_commitments_under_one_name_are_told(browser: Browser, address: str, file: Path) -> None:
    page = browser.new_context(locale="en").new_page()
    visit = Visit(page)
    page.goto(f"{address}/verify")
    [first, *_] = history.load(file).reveals
    keep(visit, first.id, "0" * 64, table="another")
    keep(visit, first.id, first.commitment)
    visit.choose(file)
    assert "and another one under the same name" in visit.said
    page.context.close()


def test_storage_that_holds_anything_else_does_no_harm(browser: Browser, address: str, file: Path) -> None:
    page = browser.new_context(locale="en").new_page()
    visit = Visit(page)
    page.goto(f"{address}/verify")
    for told in ("{}", "{", "null", '[null, 3, {"id": "t1-1"}, {"id": "__proto__", "commitment": ["x"], "seed": 1}]'):
        page.evaluate("told => localStorage.setItem('tapete.shoes', told)", told)
        visit.choose(file)
        assert visit.outcome == "ok"
    assert visit.faults == []
    page.context.close()


# --- a table's own rounds -------------------------------------------------------------------------------------------


def test_a_table_is_checked_from_its_link(browser: Browser, address: str, file: Path) -> None:
    visit = opened(browser, address, query=f"?t={CODE}")
    visit.wait()
    assert visit.outcomes == ["ok"] * len(history.load(file).reveals)
    assert f"Table {CODE}: " in visit.said
    assert visit.faults == []
    visit.page.close()


def test_the_file_of_a_table_names_nobody_else(browser: Browser, address: str, file: Path) -> None:
    visit = opened(browser, address)
    text = visit.page.evaluate("code => fetch(`/t/${code}/history.bjh`).then(answer => answer.text())", CODE)
    told = history.loads(text)
    history.validate(told)
    assert len(told.records) == len(history.load(file).records)
    assert "Ana" in file.read_text("utf-8")
    assert not {"Ana", "Eva"} & {name for record in told.records for name, _ in record.lock.spare}
    visit.page.close()


def test_the_language_is_switched_and_the_table_stays(browser: Browser, address: str) -> None:
    page = browser.new_context(locale="en").new_page()
    page.goto(f"{address}/verify?t={CODE}")
    page.locator("#verify[data-outcome]").wait_for()
    assert page.locator("input[name=back]").first.input_value() == f"/verify?t={CODE}"
    page.context.close()


def test_a_table_that_is_not_there_is_said_to_be_missing(browser: Browser, address: str) -> None:
    visit = opened(browser, address, query="?t=nobody")
    visit.wait()
    assert visit.outcome == "unreadable"
    assert "There is no table here" in visit.said
    visit.page.close()


def test_a_link_cannot_make_the_page_ask_for_anything_else(browser: Browser, address: str) -> None:
    visit = opened(browser, address, query="?t=../../you%3f")
    visit.page.locator("#verify-file:enabled").wait_for()
    visit.page.wait_for_timeout(200)
    assert not [one.url for one in visit.requests if "/you" in one.url.partition("?")[0]]
    visit.page.close()


# --- for everybody --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_is_fit_for_everybody(
    browser: Browser, address: str, file: Path, tmp_path: Path, language: str, width: int
) -> None:
    visit = opened(browser, address, language=language, width=width)
    assert Axe().run(visit.page).violations_count == 0
    visit.choose(changed(file, tmp_path, r'(?m)^secret = "......', 'secret = "ffffff'))
    assert {"ok", "mismatch"} == set(visit.outcomes)
    results = Axe().run(visit.page)
    assert results.violations_count == 0, results.generate_report()
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.page.locator("[role=status]").inner_text().strip()
    visit.page.close()


def test_the_file_is_chosen_by_keyboard(visit: Visit, file: Path) -> None:
    visit.page.locator("#verify-file:enabled").wait_for()
    for _ in range(12):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.id") == "verify-file":
            break
    with visit.page.expect_file_chooser() as asked:
        visit.page.keyboard.press("Space")
    asked.value.set_files(file)
    visit.wait()
    assert visit.page.evaluate("document.activeElement.id") == "verify-file"


def test_everything_is_said_in_spanish(browser: Browser, address: str, file: Path) -> None:
    english = opened(browser, address)
    spanish = opened(browser, address, language="es")
    for visit in (english, spanish):
        visit.choose(file)
    same = set(english.page.locator("main").inner_text().split("\n"))
    same &= set(spanish.page.locator("main").inner_text().split("\n"))
    assert {line for line in same if line.strip() and not re.search(r"[0-9a-f]{64}", line)} == set()
    assert "Correcto, como se prometió" in spanish.said
    english.page.close()
    spanish.page.close()


# --- the sentences --------------------------------------------------------------------------------------------------


def sentences() -> dict[str, str]:
    code = SCRIPT.read_text("utf-8")
    found = re.findall(r'"(\w+\.\w+)":\s*\(\w*\)\s*=>\s*say\(\s*"((?:[^"\\]|\\.)*)"', code)
    return {name: text.replace('\\"', '"') for name, text in found}


def test_the_page_says_what_the_command_says() -> None:
    shared = {code: text for code, text in sentences().items() if not code.startswith("verify.")}
    assert {code: MESSAGES[code] for code in shared} == shared
    assert {code for code in MESSAGES if code.startswith("verdict.")} <= shared.keys()


def test_every_refusal_of_the_scripts_has_a_sentence() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (SCRIPT, *(SCRIPT.parent / "fair").glob("*.js")))
    refused = set(re.findall(r'Unreadable\("([a-z_.]+)"', code))
    assert len(refused) > 10
    assert refused <= sentences().keys()
