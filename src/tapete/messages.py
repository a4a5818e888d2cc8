"""The sentence for every error code and every reason why a move is not allowed.

A sentence may hold ``{fact}``; ``{fact:chips}`` writes units as chips, ``{fact:word}`` translates the fact itself,
``{fact:reason}`` explains another code. A fact that an error does not bring stays visible as ``{fact}``. New sentences:
add them here, run ``make messages``, fill in the Spanish. A test finds codes without a sentence and sentences without a
use.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for the marker)
    """The text itself, marked for the catalogues; whoever shows it translates it."""
    return text


REASONS: Final[Mapping[int, str]] = MappingProxyType(
    {
        errno.ENOENT: N_("No such file or directory"),
        errno.EACCES: N_("Permission denied"),
        errno.EPERM: N_("Operation not permitted"),
        errno.EISDIR: N_("Is a directory"),
        errno.ENOTDIR: N_("Not a directory"),
        errno.ENOSPC: N_("No space left on device"),
        errno.EDQUOT: N_("Disk quota exceeded"),
        errno.EROFS: N_("Read-only file system"),
        errno.ENAMETOOLONG: N_("File name too long"),
        errno.EFBIG: N_("File too large"),
        errno.EIO: N_("Input/output error"),
        errno.ELOOP: N_("Too many levels of symbolic links"),
    }
)
"""What the system says of a file, by its number, for ``{fact:word}``."""


def why(problem: Exception) -> str:
    """Why a file could not be read or written.

    >>> why(FileNotFoundError(2, "Kein solches Verzeichnis"))
    'No such file or directory'
    """
    number = problem.errno if isinstance(problem, OSError) else None
    return REASONS.get(number or 0) or getattr(problem, "strerror", None) or str(problem)


MESSAGES: Final[dict[str, str]] = {
    # A table's switches that do not allow a move or a bet (tapete.rulebook, tapete.questions).
    "bet_behind.mode": N_("Nobody may bet on another's box at this table."),
    "bet_max": N_("That is more than the table's maximum."),
    "bet_min": N_("That is less than the table's minimum."),
    "bust_scope": N_("No bet of yours is left on this hand."),
    "double.after_split": N_("A hand that comes from a split may not double here."),
    "double.after_split_aces": N_("A split ace may not double here."),
    "double.cards": N_("Only a hand of two cards may double here."),
    "double.draw": N_("This hand is doubled already."),
    "double.totals": N_("This total may not be doubled here."),
    "forced_play": N_("The hand does not beat the dealer yet, and at this table it has to go on."),
    "funds": N_("You do not have the chips for that."),
    "no_consent": N_("The holder of the box does not agree."),
    "not_a_pair": N_("These two cards are not a pair."),
    "not_positive": N_("A bet has to be more than nothing."),
    "split.aces_cards": N_("Split aces take one card each."),
    "split.aces_resplit": N_("Split aces may not be split again here."),
    "split.exclude": N_("This pair may not be split here."),
    "split.match": N_("Only two cards of the same rank may be split here."),
    "split.max_hands": N_("The box has as many hands as the table allows."),
    "surrender.mode": N_("Nobody may retire at this table."),
    "surrender.window": N_("The moment to retire this hand is over."),
    "unit": N_("The bet is not a multiple of the table's smallest chip."),
    # Strategy charts from outside (tapete.chart, tapete.pricing.chartfile).
    "chart.blind": N_(
        "{place}: row “{row}”: at this table people retire before the dealer shows a card, so a row retires in all "
        "columns or in none."
    ),
    "chart.column_missing": N_("{place}: the column “{column}” is missing."),
    "chart.column_twice": N_("{place}: the column “{column}” stands there twice."),
    "chart.column_unknown": N_("{place}: a chart of this table has no column “{column}”. Its columns are {allowed}."),
    "chart.ending": N_("{file} is no chart: the name of a chart file ends in .csv, .json or .md."),
    "chart.hole": N_("{place}: row “{row}”, column “{column}”: nothing stands there. Possible are {allowed}."),
    "chart.letter": N_(
        "{place}: row “{row}”, column “{column}”: “{letter}” is no letter of a chart. Possible are {allowed}."
    ),
    "chart.no_rows": N_("{file}: no chart is in it: no line begins with “{word}”."),
    "chart.no_strategy": N_("There is no strategy “{strategy}”. There are {allowed}, and chart files."),
    "chart.not_allowed": N_(
        "{place}: row “{row}”, column “{column}”: “{letter}” can never be done there at this table. Possible are "
        "{allowed}."
    ),
    "chart.not_json": N_("{place}: this is not JSON."),
    "chart.picture": N_("{file}: a picture of a chart ends in {allowed}."),
    "chart.row_missing": N_("{place}: the row “{row}” is missing."),
    "chart.row_twice": N_("{place}: the row “{row}” stands there twice."),
    "chart.row_unknown": N_("{place}: a chart of this table has no row “{row}”. Its rows are {allowed}."),
    "chart.shape": N_("{file}: what stands at {at} is not what a chart has there."),
    "chart.too_large": N_("{file} is too large for a chart; {most} KiB is the most."),
    "chart.too_many": N_("{place}: row “{row}” has {given} cells for {wanted} columns."),
    "chart.unreadable": N_("{file} cannot be read: {why:word}"),
    # What a table costs (tapete.exact, tapete.pricing).
    "closed": N_("The turn of this hand is over by itself."),
    "exact.no_such_hand": N_("With these cards in the shoe nobody can hold {cards} here."),
    "exact.no_such_level": N_("There is no strategy “{level}”. There are {known}."),
    "exact.not_linear": N_(
        "With {switch} = {value} the hands of a box decide about each other. That can be counted for two hands at "
        "most; this table allows {hands}. tapete simulate plays it."
    ),
    "exact.shoe_count": N_("{given} is no number of cards for {kind}: from 0 to {most}."),
    "exact.shoe_kinds": N_("This table tells {wanted} kinds of card apart ({kinds}), but {given} counts were given."),
    "exact.shoe_packs": N_("A shoe of {given} packs is too large to be counted or simulated: {most} packs at most."),
    "exact.shoe_small": N_("{given} cards are too few: a round can take {wanted}."),
    "cluster.address": N_("“{address}” is no address of a scheduler. Write it like host:8786 or tls://host:8786."),
    "cluster.certificates": N_("{address} asks for certificates, and Dask's settings distributed.comm.tls name none."),
    "cluster.another": N_(
        "{many} of the {all} workers have another Tapete than this one, or none, like {worker}. "
        "Install the same there: tapete[cluster]."
    ),
    "cluster.fault": N_("A worker of the cluster could not play: {why}"),
    "cluster.late": N_(
        "The worker {worker} came later, and has another Tapete than this one. Install the same there: tapete[cluster]."
    ),
    "cluster.lost": N_("The scheduler of the cluster is gone."),
    "cluster.nobody": N_("The cluster has had no worker for {seconds} seconds."),
    "cluster.not_installed": N_(
        "Playing on a cluster is not installed; it needs: {missing}. Install it with: pip install 'tapete[cluster]'"
    ),
    "cluster.silent": N_("What is at {address} does not answer as the scheduler of a Dask cluster does."),
    "cluster.unreachable": N_("There is no scheduler of a Dask cluster at {address}: {why}"),
    "index.packs": N_("“{text}” is no number of packs unseen. Write a number from {least} to {most}, like 2 or 1.5."),
    "price.card": N_("“{text}”: what stands at place {at}, “{card}”, is no card. Write A, 2 to 10, J, Q or K."),
    "price.dealer_one": N_("“{text}”: at this table the dealer shows one card."),
    "price.dealer_two": N_("“{text}”: at this table both of the dealer's cards lie open. Write both, like 10,6 v 9,7."),
    "price.hand": N_("“{text}” is no hand against the dealer. Write its cards, v, and what he shows: 8,8 v 10."),
    "price.hand_bust": N_("“{text}”: this hand is over 21."),
    "price.hand_short": N_("“{text}”: a hand has two cards or more."),
    "price.hand_unsplit": N_("“{text}”: two cards of {card} cannot be split at this table."),
    "price.needs_hand": N_("Which hand? Write it like 8,8 v 10."),
    "price.needs_tables": N_("Which tables? Name two or more; tapete tables lists them."),
    "price.no_price": N_("{key} costs nobody anything at this table."),
    "price.not_installed": N_(
        "Counting prices is not installed; it needs: {missing}. Install it with: pip install 'tapete[sim]'"
    ),
    "price.picture": N_("{file} is no picture that can be drawn: its name ends in one of {allowed}."),
    "price.shoe": N_(
        "“{text}” is no shoe. Write how many packs (6), the cards by rank, ace first (24,24,24,24,24,24,24,24,24,96), "
        "what is taken out (full-8,8,10), or endless."
    ),
    "price.shoe_taken": N_("“{text}”: more cards of {card} are taken out than the {there} there are."),
    "price.shoe_tens": N_(
        "“{text}”: this table tells the tens apart, and {many} are not as many of each. Give 13 counts, ace to king."
    ),
    "price.split_again": N_("A pair that comes from a split is split again; the value of the split has that in it."),
    "price.star": N_("“{text}”: the star at place {at} belongs behind the hand's first card."),
    "price.unwritable": N_("{file} cannot be written: {why:word}"),
    "sim.money": N_("{option} “{text}”: write how much money, above 0 and at most {most}, like 200."),
    "sim.nothing": N_("No round was finished, so there is nothing to draw."),
    "sim.needs_bankroll": N_("A goal is won before the bankroll is lost; say with --bankroll how much that is."),
    "sim.risk": N_("“{text}” is no risk. Write it like 5% or 0.05, above nought and below 100%."),
    "sim.trip": N_("“{text}” is no number of rounds for a trip. Write a whole number up to {most}, like 1000."),
    "sim.another": N_("{file} is of another run. “{key}” there: {theirs}; here: {ours}."),
    "sim.another_game": N_("{file} is of another run: its chart, or what the analyser found best, is not what it was."),
    "sim.never_bets": N_(
        "In {rounds} rounds there was no bet, so no error is ever reached. Let the counter bet sooner."
    ),
    "sim.another_switch": N_("{file} is of another run. “{key}” there: {theirs:word}; here: {ours:word}."),
    "sim.both": N_("Ask for a number of rounds or for a standard error, not for both."),
    "sim.cluster_workers": N_(
        "A cluster plays with the workers that it has: ask for --cluster or --workers, not both."
    ),
    "sim.error": N_("“{text}” is no standard error. Write it like 0.01%, from 0.00001% to 100%."),
    "sim.remembers": N_("A player who remembers what each split hand drew cannot be simulated. Take cdp1, cdz or td."),
    "sim.rounds": N_("“{text}” is no number of rounds. Write a whole number up to {most}, like 1000000 or 1e8."),
    "sim.shoe": N_("Rounds are played from the table’s whole shoe, or with --shoe endless from one that has no end."),
    "sim.unreadable": N_("{file} is not what tapete simulate --json wrote."),
    "sim.whole": N_("{option} “{text}”: write a whole number from {least} to {most}."),
    # Counting cards in the simulator (tapete.sim.systems, tapete.sim.plays, tapete.pricing.simcount).
    "sim.boxes_strategies": N_(
        "{given} strategies are named for {boxes} boxes: name one for all, or one for each, with commas between."
    ),
    "sim.count_begin": N_(
        "{system}: the running count of this shoe begins at {begin}, beyond the {most} points up or down that are told "
        "apart. Ask for a true count, like --true-count exact."
    ),
    "sim.needs_count": N_("{option} goes by a count. Say which with --count, like --count hi-lo."),
    "sim.no_plays": N_("There are no index plays “{plays}”. There are {allowed}, and files in CSV or JSON."),
    "sim.no_system": N_("There is no counting system “{system}”. There are {allowed}, and files in TOML."),
    "sim.play_blind": N_(
        "{place}: row “{row}”, column “{column}”: at this table people retire before the dealer shows a card, so no "
        "play about retiring can go by that card."
    ),
    "sim.play_cells": N_("{place}: {given} cells stand here. A line has these: {head}."),
    "sim.play_count": N_("The plays of {file} were derived for {theirs}, and here {ours} is counted."),
    "sim.play_ending": N_("{file} is no list of index plays: its name ends in one of {allowed}."),
    "sim.play_head": N_("{place}: the first line is {head}."),
    "sim.play_level": N_("{place}: “{text}” is no count. Write a whole number from -{most} to {most}."),
    "sim.play_none": N_("{file}: no index play is in it."),
    "sim.play_same": N_("{place}: row “{row}”, column “{column}”: below and above are both {letter}."),
    "sim.play_shape": N_("{file}: what stands at {at} is not what a list of index plays has there."),
    "sim.play_twice": N_("{place}: row “{row}”, column “{column}”: another play decides this already."),
    "sim.plays_chart": N_("Index plays change a chart, and {strategy} looks at more than a chart tells. Take td."),
    "sim.plays_hi_lo": N_("The published index plays go by the true count of Hi-Lo, not by what {system} counts here."),
    "sim.plays_none": N_("None of the published index plays fits this table."),
    "sim.spread": N_(
        "“{text}”: step {number}, “{step}”, does not read. Write a count from -{level} to {level}, a colon and how "
        "many units, 0 to {most}, like 0:1,1:2,2:4,3:8; or, by a true count, the lowest and the highest bet, like 1-12."
    ),
    "sim.spread_limit": N_("{units} units are more than the table's maximum, which is {most} times its minimum."),
    "sim.spread_nothing": N_("With these bets nobody ever bets."),
    "sim.spread_order": N_("“{text}”: {level} stands behind {before}. Write the counts from the lowest up, each once."),
    "sim.spread_running": N_(
        "“{text}” climbs with a true count, and {system} is counted as a running count here. Write its steps, like "
        "-4:1,0:4,4:12."
    ),
    "sim.spread_short": N_(
        "“{text}” is no spread. Write the lowest and the highest bet, up to {most} units, like 1-12."
    ),
    "sim.spread_stake": N_(
        "At this table a split hand gets one chip whatever was bet, so that no bet but one unit can be simulated."
    ),
    "sim.strategies": N_("{given} strategies are more than a table can have boxes: {most} at most."),
    "sim.system_begin": N_('{place}: only a count that is not divided (per = "running") begins elsewhere than at 0.'),
    "sim.system_key": N_("{place}: a counting system has no “{key}”. It has {allowed}."),
    "sim.system_missing": N_("{place}: these ranks have no tag: {missing}."),
    "sim.system_no_tags": N_("{place}: [{key}] is a table with a number for each rank: {ranks}."),
    "sim.system_nothing": N_("{place}: all tags are 0."),
    "sim.system_per": N_("{place}: “{value}” is nothing to divide a count by. Possible are {allowed}."),
    "sim.system_rank": N_(
        "{place}: “{rank}” is no rank of a counting system. Its ranks are {ranks}; 10 is J, Q and K, too."
    ),
    "sim.system_red": N_("{place}: red cards of {rank} count a whole number more or less than black ones."),
    "sim.system_same": N_(
        "{place}: every rank counts the same, red and black cards taken together, so that the count says nothing."
    ),
    "sim.system_tag": N_("{place}: {key} is “{value}”. Write a number from -{most} to {most}, in halves at most."),
    "sim.system_text": N_("{place}: {key} is a short text."),
    "sim.system_toml": N_("{file} is not TOML: {why}"),
    "sim.true_count": N_(
        "“{text}” is no way to find a true count. Write one of {grains}, one of {roundings}, or both with a comma "
        "between."
    ),
    "sim.wong_crossed": N_(
        "Whoever sits in at {enter} and leaves below {leave} would leave at once: --wong-out is at most --wong-in."
    ),
    # What the server refuses (tapete.server).
    "command.closed": N_("This table is closed."),
    "command.late": N_("That came too late: the table has gone on."),
    "command.no_box": N_("You hold no box here."),
    "command.no_need_to_ask": N_("There is nobody to ask for leave to bet on box {box}."),
    "command.not_broke": N_("New chips are for those who have less than {least:chips} left."),
    "command.not_the_host": N_("Only the host of the table may do that."),
    "command.not_your_box": N_("Box {box} is not yours."),
    "command.not_your_turn": N_("It is not your turn."),
    "pace.unknown": N_("There is no pace “{pace}”. There are: {allowed}."),
    # What the web table refuses, and why it says goodbye (tapete.server).
    "command.chips_elsewhere": N_(
        "Your chips are at another table, where a round is in play. Finish it, or leave that table, first."
    ),
    "connection.slow": N_("The connection was too slow to follow the table."),
    "form.too_large": N_("That is too large; {most} KiB is the most."),
    "form.unreadable": N_("The field {field} of the form cannot be read."),
    "house.full": N_("{most} tables are open, and the house has no room for more."),
    "identity.none": N_("To play you need a name; open the lobby first."),
    "identity.phrase_unknown": N_("Nobody here has that recovery phrase. Check each word and its place."),
    "identity.renamed": N_("You go by another name now. Load the page again."),
    "limit.connections": N_("Too many connections come from your address."),
    "limit.guests": N_("Too many new guests come from your address. Wait a little."),
    "limit.messages": N_("That was too much at once. Wait a little."),
    "limit.phrases": N_("Too many phrases were tried. Wait a minute."),
    "limit.requests": N_("That was too much at once. Wait a little."),
    "limit.tables": N_("You opened too many tables at once. Wait a little."),
    "message.too_large": N_("The message is too large."),
    "message.unreadable": N_("The message cannot be read: {why}"),
    "page.forbidden": N_("This page is not for you."),
    "page.method": N_("This address does not take that kind of request."),
    "page.missing": N_("There is nothing here: the table may have closed, or the address has a mistake."),
    "page.too_large": N_("That is too large."),
    "page.unreadable": N_("The request cannot be read."),
    "person.at_table": N_("Your name is written at a table. Leave your tables, then change it."),
    "person.name_reserved": N_("That name belongs to the house."),
    "person.name_taken": N_("Somebody is called {name} already. {free} is free."),
    "request.origin": N_("That form did not come from a page of this house."),
    "round.unknown": N_("There is no round {number}, or it is not kept any more."),
    "serve.address": N_("The address {host} and the port {port} cannot be used: {why}"),
    "serve.not_installed": N_(
        "The web table is not installed; it needs: {missing}. Install it with: pip install 'tapete[web]'"
    ),
    "serve.keep_days": N_("“{value}” is no number of days up to {most}."),
    "serve.port": N_("“{value}” is no port. A port is a number up to {most}."),
    "serve.public_url": N_(
        "“{url}” is no public address. It has to look like https://tapete.example, with nothing behind the name."
    ),
    "server.failed": N_("Something went wrong here. It is noted down."),
    "server.stopping": N_("The house closes for a moment; your table is kept."),
    "table.waiting": N_("The table is not open again yet; it will be in a moment."),
    "table.unknown": N_("There is no such table; it may have closed."),
    # What a table does not accept (tapete.table, tapete.house).
    "box_full": N_("With that, the box would pass the table's maximum."),
    "holder_first": N_("The holder of the box bets first."),
    "table.bet": N_("{name}: {amount:chips} is no bet for box {box}. {reason:reason}"),
    "table.box_free": N_("Nobody holds box {box}."),
    "table.box_taken": N_("Box {box} is {holder}’s."),
    "table.boxes_per_player": N_("{name} may hold up to {most} boxes at this table."),
    "table.closed": N_("The table has closed."),
    "backup.elsewhere": N_(
        "TAPETE_DATABASE names another database; back that one up with its own tools, like pg_dump."
    ),
    "table.chips": N_("{name} cannot come to the table with {amount:chips} chips."),
    "table.in_play": N_("The round has to end first."),
    "table.lock_differs": N_("The bets of this round are not those that lie on the table."),
    "table.log_differs": N_("The kept round {number} does not agree with its shoe at {event}."),
    "table.no_round": N_("No round is in play."),
    "table.no_seed": N_("{name} has given no seed for this shoe."),
    "table.paused": N_("The host has paused the table."),
    "table.seed_twice": N_("{name} has given a seed for this shoe already."),
    "table.shoe_there": N_("There is a shoe on the table already."),
    "table.no_shoe": N_("There is no shoe on the table."),
    "table.no_such_box": N_("There is no box {box}: they are numbered from 1 to {most}."),
    "table.nobody": N_("{name} is not at this table."),
    # What the full-screen table does not accept (tapete.terminal.full).
    "full.no_free_box": N_("Every box is taken."),
    "full.no_last": N_("There is no earlier bet to lay again."),
    "full.nothing_laid": N_("No bet is laid yet."),
    "full.nothing_to_undo": N_("There is nothing to take back."),
    "full.still_chips": N_("New chips are for those who can no longer bet."),
    # What a lock or a round does not accept (tapete.stakes, tapete.round).
    "lock.backing": N_("{bettor} may not bet on box {box}, which is {holder}’s. {reason:reason}"),
    "lock.backs_twice": N_("{bettor} has a bet on box {box} already."),
    "lock.bet": N_("{amount:chips} is no bet for box {box}. {reason:reason}"),
    "lock.bettors": N_("The chips named are those of {bettors}, which are not the people with a bet."),
    "lock.box_full": N_("With {amount:chips} more from {bettor}, box {box} would pass the maximum of {most:chips}."),
    "lock.boxes": N_("Boxes are numbered from 1 to {most} and come in that order, each once; these are {boxes}."),
    "lock.boxes_per_player": N_("{bettor} may hold up to {most} boxes at this table."),
    "lock.spare": N_("{bettor} cannot have {amount:chips} chips left."),
    "lock.too_few": N_("A round needs at least {least} boxes with a bet; there are {boxes}."),
    "round.amount": N_("{amount:chips} does not fit: from {least:chips} to {most:chips}, in steps of {step:chips}."),
    "round.face": N_("The card for box {box}, hand {hand} (0 is the dealer) lies the wrong way up."),
    "round.hole_contradicts": N_("The hole card {card} does not agree with what the dealer’s check told."),
    "round.illegal": N_("Box {box}, hand {hand}: {action} is not allowed. {reason:reason}"),
    "round.no_card_due": N_("No card is due to box {box}, hand {hand} (0 is the dealer)."),
    "round.no_check_due": N_("The dealer has nothing to check now."),
    "round.no_hole_due": N_("There is no hole card to turn now."),
    "round.no_lock": N_("A round begins with its bets, and there are none."),
    "round.not_an_event": N_("{event} is nothing that happens in a round."),
    "round.not_asked": N_("Nobody asked box {box}, hand {hand} for {action} now."),
    "round.over": N_("The round is over; {event} comes too late."),
    # The shoe, and what a fairness check finds (tapete.shoe, tapete.fairness).
    "shoe.cut_outside": N_("A cut at {at} cards is outside the shoe: from 0 to {last}."),
    "shoe.discards_differ": N_("These are not the cards of the round. Missing: {missing}. Too many: {foreign}."),
    "shoe.empty": N_("The shoe is empty: the discards have to be shuffled first."),
    "shoe.no_card": N_("No card is left anywhere but on the table: the round is void."),
    "shoe.not_empty": N_("The discards are not shuffled in yet: {left} cards are left in the shoe."),
    "shoe.order_differs": N_(
        "These are not the cards that belong in the shoe. Missing: {missing}. Too many: {foreign}."
    ),
    "composition.absent": N_("More cards of rank {rank} are taken out than there are: {short} too many."),
    "fairness.already_cut": N_("Shoe {shoe} is cut already."),
    "fairness.hash_unreadable": N_("“{given}” is not a SHA-256 hash: 64 digits from 0 to 9 and a to f."),
    "fairness.list_closed": N_("The list of seeds of shoe {shoe} is closed."),
    "fairness.list_open": N_("The list of seeds of shoe {shoe} is still open."),
    "fairness.no_such_seed": N_("There is no seed number {number}; the list has {seeds}."),
    "fairness.not_cut": N_("Shoe {shoe} is not cut yet."),
    "fairness.record_unreadable": N_("The record of a shoe does not read: {reason}."),
    "fairness.secret_differs": N_("This secret is not the one that shoe {shoe} was committed to."),
    "fairness.secret_length": N_("A secret has 32 bytes, not {length}."),
    "fairness.seed_differs": N_("Seed number {number} is not the one that was promised."),
    "fairness.seed_length": N_("A seed has 1 to 64 bytes, not {length}."),
    "fairness.seed_open": N_("Seed number {number} is open already."),
    "verdict.card": N_("The card at place {index} (counted from 0) should be {expected}, but it was {found}."),
    "verdict.changed": N_("The shoe is told in two ways: “{expected}” and “{found}”."),
    "verdict.commitment": N_("The commitment should be {expected}, but it is {found}."),
    "verdict.cut": N_("The cut should be at {expected} cards, but it is at {found}."),
    "verdict.digest": N_("The shoe belongs to the rules {found}, not to {expected}."),
    "verdict.list": N_("The list of seeds does not agree with itself: {expected} expected, {found} found."),
    "verdict.ok": N_("The shoe was what had been promised: {compared} cards compared, {unseen} not seen."),
    "verdict.packs": N_("The packs of each colour should be {expected}, but they are {found}."),
    "verdict.pending": N_("It cannot be checked yet: the secret is published when the shoe is retired."),
    "verdict.reshuffle": N_(
        "Reshuffle {index} cannot belong to a round that began at place {found}; expected: {expected}."
    ),
    "verdict.round": N_("A round begins at place {index}, but the one before it ends at {expected}."),
    "verdict.seed": N_("Seed number {index} ({found}) does not have the promised hash {expected}."),
    # The command line (tapete.cli, tapete.terminal.deeds).
    "backup.exists": N_("{path} is there already; a backup does not write over anything."),
    "cli.bots": N_("“{value}” is not a number of house bots: 0 to {most}."),
    "cli.needs_file": N_("Which file? Name at least one."),
    "cli.needs_table": N_("Which table? Name one; tapete tables lists them."),
    "cli.no_such_command": N_("Tapete has no command “{command}”. It has {allowed}."),
    "cli.no_such_option": N_("There is no option {option} here; --help lists what there is."),
    "cli.option_empty": N_("The option {option} has nothing in it: give it a value, or leave it out."),
    "cli.option_twice": N_("The option {option} stands there twice: give it once."),
    "cli.option_value": N_("The option {option} lacks its value, or takes none."),
    "cli.output": N_("This cannot be written out: {why:word}."),
    "cli.same_output": N_("{one} and {other} would both write to {file}: give each a place of its own."),
    "cli.seed": N_("“{value}” is not a seed: a whole number from 0 to {most}."),
    "cli.set_needs_table": N_("--set needs a table before it: tapete play TABLE --set KEY=VALUE."),
    "cli.speed": N_("“{value}” is no speed. There are {allowed}."),
    "cli.too_much": N_("“{extra}” is more than this command takes. See: tapete {command} --help"),
    # What does not read.
    "card.unreadable": N_("“{card}” is not a card. Write rank and suit, like Ah, 10s or Kd."),
    "lang.unknown": N_("Tapete does not speak “{lang}”. It speaks {allowed}."),
    "money.unreadable": N_("“{amount}” is not an amount of chips. Write a number like 10 or 12.5."),
    # Tables and their files (tapete.rulefile, tapete.rulevalues).
    "rules.file_has_nul": N_("{file} holds a NUL character; a table is plain text."),
    "rules.file_is_folder": N_("{file} is a folder, not a file."),
    "rules.file_missing": N_("There is no file {file}."),
    "rules.file_not_regular": N_("{file} is not an ordinary file."),
    "rules.file_not_utf8": N_("{file} is not UTF-8 text. Save it as UTF-8."),
    "rules.file_too_big": N_("{file} is larger than {most} bytes, which no table needs."),
    "rules.file_unreadable": N_("{file} cannot be read: {why:word}."),
    "rules.from_near": N_("from = {value}: there is no such table. Did you mean {nearest}?"),
    "rules.from_unknown": N_("from = {value}: a file can start from one of these tables: {allowed}."),
    "rules.more_faults": N_("Further faults that are not listed: {count}."),
    "rules.needs_amount": N_("{key} = {value}: this takes an amount of chips from {low} to {high}, in steps of 0.01."),
    "rules.needs_amount_or_none": N_(
        "{key} = {value}: this takes an amount of chips from {low} to {high}, in steps of 0.01, or none."
    ),
    "rules.needs_clause": N_("{key} = {value}: a clause is a text, or a list of texts."),
    "rules.needs_colours": N_(
        "{key} = {value}: this takes the number of packs for each of at most four back colours, or none."
    ),
    "rules.needs_flag": N_("{key} = {value}: this takes true or false."),
    "rules.needs_id": N_("id = {value}: this takes at most 40 of the letters a to z, digits and hyphens."),
    "rules.needs_language": N_("{key}: the languages are {allowed}."),
    "rules.needs_ratio": N_("{key} = {value}: this takes a ratio such as 3:2, in whole numbers from {low} to {high}."),
    "rules.needs_sentence": N_("{key} = {value}: this takes a text of at most {high} characters."),
    "rules.needs_set": N_("{key} = {value}: this takes different whole numbers from {low} to {high}, or none."),
    "rules.needs_set_or_any": N_(
        "{key} = {value}: this takes different whole numbers from {low} to {high}, or none, or any."
    ),
    "rules.needs_table": N_("{key} = {value}: this is a table of its own, [{header}]."),
    "rules.needs_text": N_("{key} = {value}: this takes a text of at most 40 characters."),
    "rules.needs_whole": N_("{key} = {value}: this takes a whole number from {low} to {high}."),
    "rules.needs_whole_or_none": N_("{key} = {value}: this takes a whole number from {low} to {high}, or none."),
    "rules.needs_word": N_("{key} = {value}: this takes one of these words: {allowed}."),
    "rules.no_effect": N_("{key} = {value} changes nothing while {other} = {other_value}."),
    "rules.refused": N_("{file} does not make a table that can be played."),
    "rules.setting_twice": N_("--set {key} stands there twice: give it once."),
    "rules.setting_unreadable": N_("“{value}” is not a setting. Write key=value, like split.max_hands=4."),
    "rules.unknown_key": N_("“{key}” is nothing that a table knows."),
    "rules.unknown_key_near": N_("“{key}” is nothing that a table knows. Did you mean {nearest}?"),
    "rules.unknown_table": N_("There is no table “{table}”. Tables: {allowed}. Or name a file that ends in .toml."),
    "rules.unknown_table_near": N_("There is no table “{table}”. Did you mean {nearest}?"),
    "rules.unstated": N_("A file that starts from no other table has to state every switch. Missing: {missing}."),
    "toml.too_deep": N_("This is nested in more than {most} levels."),
    "toml.unreadable": N_("This is not TOML: {why}."),
    # What may not stand together in a table (tapete.rulecheck).
    "rules.ace_double_needs_cards": N_(
        "double.after_split_aces = true: a split ace that takes one card cannot double. "
        "It needs split.aces_cards = many."
    ),
    "rules.backs": N_("back_colours = {value}: the colours have to add up to {decks} packs."),
    "rules.bust_claimed_twice": N_(
        "bust_scope = {value} takes every bet at a bust, and no_hole_bj_takes = {other_value} gives bust bets back. "
        "Only one of them can stand."
    ),
    "rules.cut_beyond_shoe": N_(
        "cut_card_left = {value}: the shoe is smaller. With decks = {other_value}, 0 to {high} cards are allowed."
    ),
    "rules.cut_missing": N_(
        "cut_card_left = none: it has to be said how many cards lie behind the cut card, from 0 to {high}."
    ),
    "rules.cut_without_shoe": N_(
        "cut_card_left = {value}: cards that are shuffled before every round have no cut card. Only none is allowed."
    ),
    "rules.early_after_check": N_(
        "surrender.window = {value}: the dealer checks for blackjack before the turns, so early retirement has to come "
        "before them, on_second_card."
    ),
    "rules.forced_needs_open": N_(
        "forced_play = {value}: only an open dealer hand can force the players. It needs dealer_deal = both_up."
    ),
    "rules.insurance_open": N_(
        "insurance.who = {value}: when both of the dealer's cards lie open there is nothing to insure against. "
        "Only none is allowed."
    ),
    "rules.interim_open": N_(
        "bj_pay_time = {value}: when both of the dealer's cards lie open nothing is waited for. "
        "It has to be end or on_deal."
    ),
    "rules.limit_off_unit": N_("{key} = {value} is not a multiple of the smallest step, unit = {unit}."),
    "rules.limits_crossed": N_("bet_min = {value} is more than bet_max = {high}."),
    "rules.no_late_blackjack": N_(
        "no_hole_bj_takes = {value}: at this table a dealer blackjack always shows before the turns. "
        "Only all is allowed."
    ),
    "rules.on_deal_closed": N_(
        "bj_pay_time = {value}: the deal shows that a blackjack is safe only when both of the dealer's cards lie open. "
        "It has to be end or interim."
    ),
    "rules.paid_too_soon": N_(
        "bj_pay_time = {value}: with bj_beats_21 = false any 21 of the dealer can still tie a blackjack. "
        "It has to be end."
    ),
    "rules.peek_needs_hole": N_(
        "peek = {value}: only a card that lies face down can be checked. It needs dealer_deal = hole."
    ),
    "rules.retires_with_nothing": N_(
        "surrender.loss = {value}: who retires keeps a part of the stake. Less than 1:1 is allowed."
    ),
    "rules.too_few_boxes": N_("min_players = {value} is more than seats_max = {high}."),
    "rules.unit_not_halved": N_("unit = {value} cannot be halved exactly, and insurance is half a stake."),
    "rules.unit_not_payable": N_("unit = {value} cannot be paid exactly at {other} = {ratio}."),
    # The data folder, its ledger and its logs (tapete.places, tapete.store).
    "audit.balance": N_("The account {account} shows {balance:chips} chips, but its entries add up to {sum:chips}."),
    "audit.gap": N_("The log of table {table} has {events} events, but the last one is number {last}."),
    "audit.overdrawn": N_("The account {account} is below zero: {balance:chips} chips."),
    "audit.running": N_("The balance noted at transfer {transfer} of account {account} is wrong."),
    "audit.total": N_("All accounts together hold {sum:chips} chips instead of none."),
    "audit.transfer": N_("The entries of transfer {transfer} add up to {sum:chips} chips instead of none."),
    "data.full": N_("The disk is full: nothing more can be saved in {path}."),
    "data.not_a_folder": N_("{path} cannot be the data folder, because something else than a folder is in its place."),
    "data.readonly": N_(
        "Nothing can be saved in {path}: writing is not allowed there. TAPETE_DATA can name another folder."
    ),
    "data.unusable": N_("{path} cannot be used as the data folder: {reason:word}."),
    "ledger.chips_at_table": N_("You still sit at table {table}, with {amount:chips} chips. Leave it first."),
    "ledger.negative": N_("{amount:chips} is less than nothing."),
    "ledger.no_account": N_("There is no account {account}."),
    "ledger.overdrawn": N_("There are only {balance:chips} chips, not {amount:chips}."),
    "ledger.too_large": N_("{amount:chips} chips are more than the ledger can hold."),
    "ledger.unbalanced": N_("This transfer does not balance: {sum:chips} chips are left over."),
    "log.out_of_step": N_("The next event of table {table} is number {expected}, not {seq}."),
    "log.round_saved": N_("Round {number} of table {table} is saved already."),
    "log.shoe_known": N_("There is a shoe {shoe} already."),
    "log.shoe_unknown": N_("There is no shoe {shoe}."),
    "person.name_empty": N_("A name needs at least one letter."),
    "person.name_long": N_("A name may have up to {longest} letters; this one has {length}."),
    "person.name_unprintable": N_("The name {name} holds something that cannot be shown."),
    "person.unknown": N_("There is no person {person}."),
    "store.busy": N_("Another program has been busy with {path} for too long. Try again when it has finished."),
    "store.closed": N_("The data folder is closed already."),
    "store.corrupt": N_("{path} is damaged or is not a database. Put back a copy, or move it away to begin anew."),
    "store.failed": N_("The database {path} cannot do that: {reason}."),
    "store.foreign": N_("{path} is a database of another program."),
    "store.newer": N_("{path} was written by a newer Tapete (format {found}; this one knows {known}). Update Tapete."),
    "store.no_access": N_("The database {path} does not let us in: {reason}."),
    "store.no_driver": N_("For a PostgreSQL database the package {missing} is missing. Install tapete[postgres]."),
    "store.no_file": N_("The database {path} is no file of this machine."),
    "store.table_closed": N_("Table {table} is closed."),
    "store.table_in_use": N_("Table {table} is open in another program."),
    "store.table_not_held": N_("Table {table} is not held by this program."),
    "store.table_unknown": N_("There is no table {table}."),
    "store.unreachable": N_("The database {path} cannot be reached: {reason}."),
    "store.url": N_("That is not the address of a database. It has to begin with {allowed}."),
    # A history file (tapete.history).
    "history.block_too_big": N_("This part of the file is too large: more than {most} characters."),
    "history.digest_differs": N_("These rules do not have the digest {stated}; theirs is {due}."),
    "history.event_refused": N_("“{event}” cannot happen here."),
    "history.event_unreadable": N_("“{event}” is not an event. Expected: {expected:word}."),
    "history.event_unwritable": N_("This cannot be written as an event of a round: {event}."),
    "history.file_is_folder": N_("{file} is a folder."),
    "history.file_missing": N_("There is no file {file}."),
    "history.file_not_regular": N_("{file} is not an ordinary file."),
    "history.file_too_big": N_("{file} is larger than {most} MiB."),
    "history.file_unreadable": N_("{file} cannot be read: {why:word}."),
    "history.has_nul": N_("There is a NUL character here; this is no text."),
    "history.header": N_("Each round, and each reveal, stands under a header of its own: {key}."),
    "history.lock_refused": N_("Round {round} cannot begin with these bets."),
    "history.missing": N_("{key} is missing."),
    "history.not_a_history": N_('This is no history: its first field has to be format = "tapete-history".'),
    "history.not_utf8": N_("This is not UTF-8 text."),
    "history.result_differs": N_("The results say “{told}”, but the events come to “{due}”."),
    "history.round_open": N_("Round {number} is not over yet."),
    "history.rules_faulty": N_("{key} = {value} does not fit."),
    "history.rules_unknown": N_("The rules with the digest {digest} do not stand before this round."),
    "history.shoe_differs": N_("The shoe {shoe} is not told here as it was before."),
    "history.shoe_rules": N_("The shoe {shoe} was promised for other rules than those of the round."),
    "history.shoe_unreadable": N_("The shoe cannot be read."),
    "history.torn": N_("The file breaks off in the middle of a part that begins in line {begins}."),
    "history.totals": N_("The total here is {stated}, but the results add up to {due}."),
    "history.twice": N_("{key} is told twice."),
    "history.unfinished": N_("Round {round} is not over here, but no event follows."),
    "history.unknown_field": N_("The field {key} is not known here."),
    "history.unknown_field_near": N_("The field {key} is not known here. Perhaps {nearest} is meant."),
    "history.value": N_("{key} = {value} does not fit. Expected: {expected:word}."),
    "history.version": N_("This is version {found} of the format; this Tapete knows version {known}."),
}
