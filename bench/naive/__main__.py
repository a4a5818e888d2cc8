"""Prints the price of a table and the time that it took: ``python -m bench.naive TABLE``."""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

from bench.naive import analyse
from tapete.rulefile import preset


def main() -> None:
    """Prints the price of a table and the time that it took."""
    asked = argparse.ArgumentParser(prog="python -m bench.naive")
    asked.add_argument("table")
    asked.add_argument("--shoe", help="counts from the ace on, separated by commas")
    asked.add_argument("--fractions", action="store_true")
    told = asked.parse_args()
    began = time.process_time()
    shoe = [int(count) for count in told.shoe.split(",")] if told.shoe else None
    found = analyse(preset(told.table).rules, shoe, Fraction if told.fractions else float)
    print(f"{told.table}: {found.ev} = {float(found.ev):+.15f} in {time.process_time() - began:.1f} s")


main()
