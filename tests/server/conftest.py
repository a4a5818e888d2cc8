"""Databases for the tests of the server."""

from __future__ import annotations

from tests.databases import place, postgres
from tests.disks import small_disk

__all__ = ["place", "postgres", "small_disk"]
