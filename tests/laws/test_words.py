"""Everything a person reads exists in both languages, and no error is without a sentence."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po

from hatch_build import LOCALE, compile_catalogue
from scripts.messages import template
from tapete.errors import BadInput, TapeteError
from tapete.messages import MESSAGES
from tapete.rules import KEYS
from tapete.words import LANGUAGES, PLACEHOLDER, Words, choose, words
from tests.laws.source import MODULES, ROOT, SOURCE, functions, strings, tree

SAME_IN_SPANISH = {
    "No": "one word in both languages",
    "no": "one word in both languages",
    "Normal": "one word in both languages",
}
"""Texts that are the same in both languages, each with the reason."""

CODE = re.compile(r"[a-z_]+\.[a-z_]+")
TEXTS = list(template())[1:]


@cache
def spanish() -> Catalog:
    with (ROOT / LOCALE / "es" / "LC_MESSAGES" / "tapete.po").open("rb") as opened:
        return read_po(opened, locale="es", abort_invalid=True)


Text = str | list[str] | tuple[str, ...] | None


def forms(text: Text) -> tuple[str, ...]:
    """The singular, and the plural where there is one."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def pairs() -> Iterator[tuple[str, str]]:
    """Every English text with its Spanish one, form by form; the Spanish is empty where it is missing."""
    for text in TEXTS:
        found = spanish().get(forms(text.id)[0], text.context)
        told = forms(found.string) if found else ()
        yield from zip_longest(forms(text.id), told, fillvalue="")


def placeholders(text: str) -> set[tuple[str, str]]:
    return set(PLACEHOLDER.findall(text))


# --- the Spanish catalogue ------------------------------------------------------------------------------------------


def test_every_text_is_translated() -> None:
    assert TEXTS
    assert [english for english, other in pairs() if not other] == [], "run `make messages`, then translate these"


def test_no_translation_is_a_guess() -> None:
    assert [one.id for one in spanish() if one.id and one.fuzzy] == []


def test_spanish_is_not_english_left_standing() -> None:
    assert {english for english, other in pairs() if english == other} == set(SAME_IN_SPANISH)


def test_a_translation_tells_the_same_facts() -> None:
    assert [pair for pair in pairs() if placeholders(pair[0]) != placeholders(pair[1])] == []


def test_no_text_shows_its_braces() -> None:
    assert [text for pair in pairs() for text in pair if re.search(r"[{}]", PLACEHOLDER.sub("", text))] == []


def test_the_catalogue_holds_nothing_that_nobody_says() -> None:
    said = {(forms(text.id), text.context) for text in TEXTS}
    assert [one.id for one in spanish() if one.id and (forms(one.id), one.context) not in said] == []


def test_a_broken_catalogue_never_replaces_a_good_one(tmp_path: Path) -> None:
    po = tmp_path / "es" / "LC_MESSAGES" / "tapete.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid "a"\nmsgstr "b"\n', "utf-8")
    good = compile_catalogue(po).read_bytes()
    po.write_text('<<<<<<< mine\nmsgid "a"\nmsgstr "c"\n', "utf-8")
    with pytest.raises(PoFileError):
        compile_catalogue(po)
    assert po.with_suffix(".mo").read_bytes() == good


# --- codes ----------------------------------------------------------------------------------------------------------


def error_classes() -> set[str]:
    """The names of all that takes a code as its first argument: the errors, and a rule file's Fault."""
    known = {"TapeteError", "Fault"}
    classes = [node for path in MODULES for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)]
    while True:
        heirs = {one.name for one in classes if known & {ast.unparse(base).split(".")[-1] for base in one.bases}}
        if heirs <= known:
            return known
        known |= heirs


def codes_of(call: ast.Call, *, errors: set[str]) -> Iterator[str]:
    """The codes that a call hands on: to an error, or to any function as its ``code``."""
    if ast.unparse(call.func).split(".")[-1] in errors and call.args:
        yield from result_strings(call.args[0])
    for keyword in call.keywords:
        if keyword.arg == "code":
            yield from result_strings(keyword.value)


def codes_raised() -> set[tuple[str, str]]:
    """Each code that an error can have, with the module that gives it.

    A code may pass through a helper before it reaches its error; it is known by its first word then.
    """
    errors = error_classes()
    nodes = [(path.name, node) for path in MODULES for node in ast.walk(tree(path))]
    calls = [(name, node) for name, node in nodes if isinstance(node, ast.Call)]
    direct = {(name, code) for name, call in calls for code in codes_of(call, errors=errors)}
    families = {code.split(".")[0] for code in {*MESSAGES, *(code for _, code in direct)} - set(KEYS)}
    passed_on = {
        (name, node.value)
        for name, node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
        if node.value.split(".")[0] in families and node.value not in KEYS
        if node.value.rpartition(".")[2] not in {"html", "tcss", "css", "js", "json", "toml"}  # a file, not a code
    }
    return direct | passed_on


def reasons_given() -> Iterator[tuple[str, str]]:
    """Each reason that a ``why_not_...`` function can give."""
    for path in MODULES:
        for function in functions(path):
            if function.name.lstrip("_").startswith("why_not"):
                returned = (node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value)
                yield from ((path.name, reason) for value in returned for reason in result_strings(value) if reason)


def result_strings(value: ast.expr) -> list[str]:
    """The strings that an expression can give: both arms of a conditional, not what its condition compares."""
    if isinstance(value, ast.IfExp):
        return result_strings(value.body) + result_strings(value.orelse)
    return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []


def test_every_error_has_a_sentence() -> None:
    assert {"BadInput", "Refused"} <= error_classes()
    assert ("cards.py", "card.unreadable") in codes_raised()
    assert sorted((where, code) for where, code in codes_raised() if code not in MESSAGES) == []


def test_every_reason_against_a_move_has_a_sentence() -> None:
    assert ("rulebook.py", "split.max_hands") in set(reasons_given())
    assert sorted((where, code) for where, code in reasons_given() if code not in MESSAGES) == []


def test_every_sentence_is_said_somewhere() -> None:
    others = {text for path in MODULES if path != SOURCE / "messages.py" for text in strings(tree(path))}
    assert set(MESSAGES) <= others


# --- speaking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_is_explained_in_the_readers_language(language: str) -> None:
    said = words(language).explain(BadInput("card.unreadable", card="Zx"))
    assert ("no es una carta" if language == "es" else "is not a card") in said
    assert "Zx" in said


def test_a_missing_fact_stays_visible_and_ends_no_game() -> None:
    assert "{card}" in words("es").explain(BadInput("card.unreadable"))


def test_a_code_without_a_sentence_is_still_told() -> None:
    assert words("es").explain(TapeteError("no.such.code", box=3)) == "no.such.code: box=3"
    assert words("es").reason("no.such.code") == "no.such.code"


def test_a_fact_with_braces_is_told_as_it_came() -> None:
    assert "{amount} {0} {x.__class__}" in words("en").explain(
        BadInput("card.unreadable", card="{amount} {0} {x.__class__}")
    )


def test_a_fact_cannot_steer_the_terminal() -> None:
    told = words("en").explain(BadInput("card.unreadable", card="\x1b[2J\x9b1mñ♥\x07"))
    assert not set(told) & {"\x1b", "\x9b", "\x07"}
    assert "ñ♥" in told


@pytest.mark.parametrize(("language", "told"), [("en", "12.5, 20"), ("es", "12,5, 20")])
def test_a_fact_in_units_is_told_in_chips(language: str, told: str) -> None:
    assert words(language).say("{amounts:chips}", amounts=(1250, 2000)) == told


def test_an_empty_text_is_not_the_catalogues_header() -> None:
    assert words("es").say("") == ""


def test_a_reason_within_a_reason_is_explained_too() -> None:
    assert words("es").say("{why:reason}", why="forced_play") == words("es").reason("forced_play") != "forced_play"


@pytest.mark.parametrize(("n", "told"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards")])
def test_english_counts_one_and_many(n: int, told: str) -> None:
    assert words("en").plural("{n} card", "{n} cards", n) == told


def test_a_checkout_without_compiled_catalogues_speaks_english() -> None:
    assert Words("fr" if "fr" not in LANGUAGES else "xx").say("Box {box}", box=2) == "Box 2"


def test_two_languages_are_spoken_at_once() -> None:
    heard: dict[str, set[str]] = {language: set() for language in LANGUAGES}

    def speak(language: str) -> None:
        for _ in range(200):
            heard[language].add(words(language).reason("card.unreadable", card="Zx"))

    speakers = [threading.Thread(target=speak, args=(language,)) for language in LANGUAGES * 4]
    for one in speakers:
        one.start()
    for one in speakers:
        one.join()
    assert [len(said) for said in heard.values()] == [1, 1]
    assert heard["en"].isdisjoint(heard["es"])


# --- which language -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_AR@euro"}, "es"),
        ({"LANG": "ES-mx"}, "es"),
        ({"LANG": "en_US"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "est_EE"}, "en"),
        ({"LANG": "\x00ñ//.@_"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LC_MESSAGES": "es_ES", "LC_ALL": "en_GB"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": "C"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
        ({"TAPETE_LANG": "es", "LC_ALL": "en_US"}, "es"),
        ({"TAPETE_LANG": "en", "LC_ALL": "es_ES"}, "en"),
    ],
)
def test_the_machines_settings_choose_the_language(environ: dict[str, str], language: str) -> None:
    assert choose(None, environ) == language


@pytest.mark.parametrize(("option", "language"), [("es", "es"), ("en_US", "en"), ("es_ES.UTF-8", "es")])
def test_the_option_beats_the_machines_settings(option: str, language: str) -> None:
    other = {"es": "en", "en": "es"}[language]
    assert choose(option, {"TAPETE_LANG": other, "LC_ALL": other}) == language


@pytest.mark.parametrize("option", ["fr", "", "C", "español", "x" * 10_000])
def test_asking_for_a_language_that_is_not_spoken_is_refused(option: str) -> None:
    with pytest.raises(BadInput, match=r"lang\.unknown") as refused:
        choose(option, {"LANG": "es"})
    assert "en, es" in words("en").explain(refused.value)
    assert len(words("en").explain(refused.value)) < 200
