"""The exact price of a table by plain recursion: the yardstick of speed, and the third way to the same figures.

    .venv/bin/python -m bench.naive casino                    the expected value per initial bet, six packs, in floats
    .venv/bin/python -m bench.naive home --shoe 2,1,1,1,2,2,1,2,1,6 --fractions

Nothing is tabled, packed or vectorised: a hand asks the rulebook what is legal, tries every card, and remembers what it
has been asked before. All values are per initial bet and keep the branch in which the dealer turns out to have
blackjack. Where a check before the turns finds it, nobody plays: seats count that branch as 0, and what it costs the
two cards of the deal is added to the cell.

Splits with ``exchange``: the hands of a split box are alike, so one hand at a time is enough, with ``a`` further pair
cards known to be gone and ``b`` unknown cards that are known not to be pair cards. A value with b such cards follows by
the law of total probability from those with b - 1: the next unseen card is a pair card (with chance q) or it is not,

    Y(a, b - 1) = q Y(a + 1, b - 1) + (1 - q) Y(a, b).

The values are then added up over the ways in which pair cards can turn up. It needs play that does not depend on the
number of hands, pairs that are split again always or never, and rules that settle each hand by itself; one hand at a
time never sees the shoe run out for the others. With ``joint`` all hands of the box are drawn together, which needs
none of that and takes longer.

Where it may choose (no strategy given), it plays the best composition-dependent strategy in the convention CDZ-: split
hands follow the values that their cards have before splitting, among the moves that are legal after it, and a pair that
was split is split again wherever that is legal. Between equal values the first of stand, hit, double, split, retire is
taken, and of two answers the one that lays or gives up nothing. An insurance does not change how a hand is played.
"""

from bench.naive.game import Analysis, Cell, analyse
from bench.naive.table import RanOut, Strategy

__all__ = ["Analysis", "Cell", "RanOut", "Strategy", "analyse"]
