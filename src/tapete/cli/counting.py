"""The options about counting cards, in one language."""

from typing import Any

from tapete.cli.options import text_option
from tapete.words import Words


def counting_options(say: Words) -> dict[str, Any]:
    """The options of ``tapete simulate`` about counting, by what they are called inside."""
    count = say.say("Count cards: hi-lo, ko, zen, … or a file with a system of your own.")
    way = say.say("How the count is divided and rounded, like exact,floor or half,nearest.")
    spread = say.say("The bets by the count: 0:1,1:2,2:4,3:8 or shorter 1-12; one unit if none is given.")
    enter = say.say("Watch, and play only once the count is so high.")
    leave = say.say("Stop playing once the count is below this.")
    plays = say.say("Index plays: hi-lo, a file with your own, or none; none if none is given.")
    return {
        "count": text_option("--count", say.say("SYSTEM"), count),
        "true_count": text_option("--true-count", say.say("WAY"), way),
        "spread": text_option("--spread", say.say("UNITS"), spread),
        "wong_in": text_option("--wong-in", say.say("COUNT"), enter),
        "wong_out": text_option("--wong-out", say.say("COUNT"), leave),
        "plays": text_option("--plays", say.say("PLAYS"), plays),
    }
