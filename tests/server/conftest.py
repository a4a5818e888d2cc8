"""Databases for the tests of the server."""

from __future__ import annotations

from tests.databases import place, postgres

__all__ = ["place", "postgres"]
