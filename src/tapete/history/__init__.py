"""The open history format: rounds as text that anybody can read, replay and check.

docs/history-format.md defines it. :func:`record_of` makes a record of a finished round, :func:`append_round` adds it
to a file, :func:`load` and :func:`loads` read, :func:`replay` goes through a round step by step, and :func:`validate`
holds a file against itself.
"""

from tapete.history.appending import append_reveal, append_round
from tapete.history.checking import Step, replay, shoes_of, validate, validate_round
from tapete.history.faults import HistoryError
from tapete.history.lines import read_event, write_event
from tapete.history.reading import content, is_history, load, loads, read
from tapete.history.records import History, Record, Table, anonymous, record_of
from tapete.history.writing import dumps, round_block

__all__ = [
    "History",
    "HistoryError",
    "Record",
    "Step",
    "Table",
    "anonymous",
    "append_reveal",
    "append_round",
    "content",
    "dumps",
    "is_history",
    "load",
    "loads",
    "read",
    "read_event",
    "record_of",
    "replay",
    "round_block",
    "shoes_of",
    "validate",
    "validate_round",
    "write_event",
]
