"""What the scripts say reaches the page in both languages."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from babel.messages.extract import extract_from_dir

from scripts.messages import KEYWORDS
from tapete.server.pagewords import page_words, texts
from tapete.stakes import REASONS
from tapete.terminal.keys import DIGITS, LETTERS
from tapete.words import LANGUAGES

SCRIPTS = str(files("tapete") / "server" / "static" / "js")


def test_the_page_is_sent_all_that_its_scripts_say() -> None:
    found = extract_from_dir(SCRIPTS, [("**.js", "javascript")], keywords=KEYWORDS)
    said = {text for _, _, text, _, context in found if context is None}
    sentences, counted, _ = texts()
    assert said == set(sentences) | set(counted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_the_page_says_is_left_in_english(language: str) -> None:
    sent = json.loads(page_words(language))
    assert sent["language"] == language
    assert set(sent["results"]) == set(REASONS)
    same = {text for text, told in sent["say"].items() if text == told}
    assert same == (set(sent["say"]) if language == "en" else {"No"})


def test_the_page_has_the_terminals_digits_and_letters() -> None:
    sent = json.loads(page_words("es"))["answers"]
    for language in LANGUAGES:
        assert {action: sent[language][action]["digit"] for action in DIGITS} == dict(DIGITS)
        assert {action: sent[language][action]["letter"] for action in LETTERS[language]} == dict(LETTERS[language])


def test_a_count_keeps_its_place_for_the_number() -> None:
    plural = json.loads(page_words("es"))["plural"]
    assert plural["{n} pack"] == ["{n} baraja", "{n} barajas"]
