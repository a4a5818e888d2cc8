"""The same digits everywhere, letters that follow the words, and nothing read into what was not typed."""

from __future__ import annotations

import pytest

from tapete.errors import BadInput
from tapete.events import Question
from tapete.questions import OF_KIND
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.terminal.keys import HELP, LEAVE, ME, Key, keys_for, label, plain, pressed, read
from tapete.words import LANGUAGES

EVERYTHING = sorted({answer for answers in OF_KIND.values() for answer in answers})
NOES = {"keep", "no_insurance", "stay"}


def asked(kind: str, *, move: str = "", refused: tuple[tuple[str, str], ...] = ()) -> Question:
    legal = tuple(one for one in OF_KIND[kind] if one not in dict(refused))
    return Question(kind, 1, 1, "Ana", legal, refused, move=move)


def keys(kind: str, language: str, rules: RuleSet | None = None, *, move: str = "") -> dict[str, Key]:
    return {one.action: one for one in keys_for(asked(kind, move=move), rules or RuleSet(), language)}


def all_keys(language: str, rules: RuleSet | None = None) -> dict[str, Key]:
    found = {kind: keys(kind, language, rules, move="double" if kind == "follow" else "") for kind in OF_KIND}
    return {action: key for kind in found.values() for action, key in kind.items()}


@pytest.mark.parametrize("verbs", ["es", "en"])
@pytest.mark.parametrize("language", LANGUAGES)
class TestLetters:
    """Two answers with one letter would make one of them a decision that nobody took."""

    def found(self, language: str, verbs: str) -> dict[str, Key]:
        return all_keys(language, with_(RuleSet(), {"ui_verbs": verbs}))

    def test_no_two_answers_share_a_letter(self, language: str, verbs: str) -> None:
        letters = [key.letter for action, key in self.found(language, verbs).items() if action not in NOES]
        assert len(set(letters)) == len(letters) == 7
        assert "n" not in letters

    def test_no_letter_is_taken_that_every_prompt_understands(self, language: str, verbs: str) -> None:
        assert {key.letter for key in self.found(language, verbs).values()}.isdisjoint({HELP, ME, LEAVE})

    def test_each_letter_stands_in_its_word(self, language: str, verbs: str) -> None:
        assert [key for key in self.found(language, verbs).values() if key.letter not in plain(key.word)] == []

    def test_every_answer_that_a_round_knows_has_a_key(self, language: str, verbs: str) -> None:
        assert sorted(self.found(language, verbs)) == EVERYTHING


def test_digits_are_the_same_in_both_languages_and_as_promised() -> None:
    digits = {action: key.digit for action, key in all_keys("es").items()}
    assert digits == {action: key.digit for action, key in all_keys("en").items()}
    assert {digits.pop(one) for one in NOES} == {"0"}
    del digits["match"]
    assert digits == {"hit": "1", "stand": "2", "double": "3", "split": "4", "retire": "5", "insure": "6"}


@pytest.mark.parametrize(("move", "digit"), [("double", "3"), ("split", "4")])
def test_a_backer_follows_with_the_digit_of_the_move(move: str, digit: str) -> None:
    assert keys("follow", "en", move=move)["match"].digit == digit


def test_the_spanish_table_speaks_its_own_words() -> None:
    words = {action: key.word for action, key in keys("turn", "es").items()}
    assert words == {
        "hit": "Pedir", "stand": "Plantarse", "double": "Doblar", "split": "Separar", "retire": "Retirarse",
    }  # fmt: skip
    assert keys("insure", "es")["insure"].word == "Asegurar"


def test_D3_10_the_face_up_table_keeps_its_english_words_in_spanish() -> None:
    shown = keys("turn", "es", preset("faceup").rules)
    assert [label(shown[one]) for one in ("hit", "stand", "double", "split")] == [
        "1 Hit (h)", "2 Stand (s)", "3 Double (d)", "4 Split (p)",
    ]  # fmt: skip


def test_what_is_not_allowed_keeps_its_key_and_brings_its_reason() -> None:
    found = keys_for(asked("turn", refused=(("split", "not_a_pair"),)), RuleSet(), "en")
    typed = read("4", found)
    assert typed is not None
    assert (typed.key.action, typed.key.reason) == ("split", "not_a_pair")


@pytest.mark.parametrize("typed", ["2", "l", "L", " plantarse ", "PLANTARSE", "Plántarse"])
def test_an_answer_reads_as_digit_letter_or_word(typed: str) -> None:
    found = read(typed, keys("turn", "es").values())
    assert found is not None
    assert (found.key.action, found.amount) == ("stand", None)


@pytest.mark.parametrize(
    "typed",
    ["", " ", "y", "yes", "11", "12", "hh", "hi", "stan", "standing",
     "٢", "２", "²", "-1", "+1", "1.", "h.", "\x00", "h\x00"],
)  # fmt: skip
def test_what_is_not_clear_is_no_answer(typed: str) -> None:
    assert read(typed, keys("turn", "en").values()) is None


@pytest.mark.parametrize("typed", ["i 5", "6 5", "insure 5", "I  5 "])
def test_an_insurance_takes_its_amount_behind_the_answer(typed: str) -> None:
    found = read(typed, keys("insure", "en").values())
    assert found is not None
    assert (found.key.action, found.amount) == ("insure", 500)


@pytest.mark.parametrize("typed", ["i -5", "i five", "6 1e3", "i ٥", "i 5 5", "hit me"])
def test_an_amount_that_does_not_read_is_told_and_decides_nothing(typed: str) -> None:
    found = [*keys("insure", "en").values(), *keys("turn", "en").values()]
    with pytest.raises(BadInput, match=r"money\.unreadable"):
        read(typed, found)


def test_a_single_stroke_finds_its_key_and_no_other() -> None:
    found = keys("turn", "es").values()
    strokes = [pressed(one, found) for one in ("p", "P", "3", "q", "", "hit")]
    assert [key.action if key else None for key in strokes] == ["hit", "hit", "double", None, None, None]
