"""As much of JSON Schema as docs/protocol.schema.json speaks, to hold every message against the published file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "docs" / "protocol.schema.json"
KNOWN = {
    "$ref", "additionalProperties", "anyOf", "default", "description", "discriminator", "enum", "items", "maxItems",
    "maxLength", "maximum", "minItems", "minLength", "minimum", "pattern", "prefixItems", "properties", "required",
    "title", "type",
}  # fmt: skip
TYPES: dict[str, tuple[type, ...]] = {
    "array": (list,), "boolean": (bool,), "integer": (int,), "null": (type(None),), "number": (int, float),
    "object": (dict,), "string": (str,),
}  # fmt: skip
LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "enum": lambda value, limit: value in limit,
    "pattern": lambda value, limit: re.search(limit, value) is not None,
}


@cache
def published() -> dict[str, Any]:
    """The schema as it is published."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def faults(value: Any, name: str) -> list[str]:
    """Where a value is not what the part of that name says; an unlisted field is a fault, too."""
    return list(_faults(value, {"$ref": f"#/$defs/{name}"}, "$"))


def _faults(value: Any, wanted: dict[str, Any], at: str) -> list[str]:
    assert set(wanted) <= KNOWN, f"unknown words of schema: {set(wanted) - KNOWN}"
    if "$ref" in wanted:
        return _faults(value, published()["$defs"][wanted["$ref"].rpartition("/")[2]], at)
    if "anyOf" in wanted:
        return _one_of(value, wanted, at)
    if "type" in wanted and not _is(value, wanted["type"]):
        return [f"{at}: {value!r} is no {wanted['type']}"]
    found = [f"{at}: {value!r} breaks {key} {wanted[key]}" for key in LIMITS if not _within(value, wanted, key)]
    if isinstance(value, dict):
        found += _in_object(value, wanted, at)
    if isinstance(value, list):
        found += _in_list(value, wanted, at)
    return found


def _one_of(value: Any, wanted: dict[str, Any], at: str) -> list[str]:
    if "discriminator" in wanted:
        told = wanted["discriminator"]
        tag = value.get(told["propertyName"]) if isinstance(value, dict) else None
        part = told["mapping"].get(tag) if isinstance(tag, str) else None
        return _faults(value, {"$ref": part}, at) if part else [f"{at}: {value!r} is none of {list(told['mapping'])}"]
    tried = [_faults(value, one, at) for one in wanted["anyOf"]]
    return [] if not all(tried) else min(tried, key=len)


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _within(value: Any, wanted: dict[str, Any], key: str) -> bool:
    return key not in wanted or LIMITS[key](value, wanted[key])


def _in_object(value: dict[str, Any], wanted: dict[str, Any], at: str) -> list[str]:
    properties, others = wanted.get("properties", {}), wanted.get("additionalProperties", "properties" not in wanted)
    found = [f"{at}.{name} is missing" for name in wanted.get("required", ()) if name not in value]
    for name, one in value.items():
        if name in properties:
            found += _faults(one, properties[name], f"{at}.{name}")
        elif isinstance(others, dict):
            found += _faults(one, others, f"{at}.{name}")
        elif not others:
            found.append(f"{at}.{name} is not published")
    return found


def _in_list(value: list[Any], wanted: dict[str, Any], at: str) -> list[str]:
    first = wanted.get("prefixItems", [])
    rest = wanted.get("items", True)
    found = [
        fault
        for place, (one, kind) in enumerate(zip(value, first, strict=False))
        for fault in _faults(one, kind, f"{at}[{place}]")
    ]
    for place, one in enumerate(value[len(first) :], len(first)):
        if isinstance(rest, dict):
            found += _faults(one, rest, f"{at}[{place}]")
        elif rest is False:
            found.append(f"{at}[{place}] is one too many")
    return found
