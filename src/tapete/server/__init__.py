"""The web table: an adapter around the same table, round, stakes and history."""
