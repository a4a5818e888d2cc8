"""The protocol's page and schema say what the code says."""

from __future__ import annotations

import json
import re

from scripts import protocol
from tapete.messages import MESSAGES

PAGE = protocol.PAGE.read_text("utf-8")


def test_the_page_of_the_protocol_is_up_to_date() -> None:
    assert protocol.page() == PAGE, "run `python scripts/protocol.py`"


def test_the_schema_of_the_protocol_is_up_to_date() -> None:
    assert protocol.SCHEMA.read_text("utf-8") == protocol.schema(), "run `python scripts/protocol.py`"


def test_every_part_that_can_be_made_stands_on_the_page() -> None:
    assert sorted(re.findall(r"<!-- made: (\w+) -->", PAGE)) == sorted(protocol.MAKERS)


def test_every_message_of_the_schema_stands_on_the_page() -> None:
    parts = json.loads(protocol.schema())["$defs"]
    tags = {
        name: part["properties"].get("do", part["properties"].get("type"))
        for name, part in parts.items()
        if "properties" in part
    }
    names = {tag["enum"][0] if tag and "enum" in tag else name for name, tag in tags.items()} - {"Command"}
    assert {name for name in names if f"#### {name}\n" not in PAGE} == set()


def test_every_code_on_the_page_has_a_sentence() -> None:
    assert [code for listed in protocol.CODES.values() for code in listed if code not in MESSAGES] == []
