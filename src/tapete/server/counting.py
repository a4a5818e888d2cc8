"""Counting: the figures of one server, without a name or an address in them."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from tapete.server.books import Books


class Counted:
    """What one server counts."""

    def __init__(self, books: Books) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("tapete_tables", "Open tables", registry=self.registry)
        self.playing = Gauge("tapete_rounds_in_play", "Tables with a round in play", registry=self.registry)
        self.connections = Gauge("tapete_connections", "Connections to tables", registry=self.registry)
        self.people = Gauge("tapete_people", "People at tables", registry=self.registry)
        self.answers = Counter("tapete_answers", "Pages and files by status", ["status"], registry=self.registry)
        self.commands = Counter("tapete_commands", "Commands by what became of them", ["code"], registry=self.registry)
        self.seconds = Histogram("tapete_command_seconds", "From a command to its answer", registry=self.registry)
        commits = Gauge("tapete_transactions", "Transactions since the start", registry=self.registry)
        commits.set_function(lambda: books.commits)
