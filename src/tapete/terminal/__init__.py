"""Tapete in the terminal: a full-screen table and a plain line mode, both on one game."""
