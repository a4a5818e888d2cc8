"""What the commands about prices say."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tapete.cli import main


class Screen(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        return True


def spoken(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What ``tapete …`` says: on the standard output if it goes well, else on the error output and nothing else."""
    assert main(arguments) == code
    out, error = capsys.readouterr()
    assert (error if code == 0 else out) == ""
    return error if code else out


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What ``tapete … --json -`` says."""
    answer: dict[str, Any] = json.loads(spoken(capsys, *arguments, "--json", "-"))
    return answer
