"""The command line, run in this process.

In: arguments. Out: exit code, standard output and standard error. The terminal is 120 columns wide unless a
test says otherwise, and it is none: nothing is coloured.
"""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from hanalyze.cli import main
from hanalyze.logs import GameRecord, write

ANNOUNCED = re.compile(r"hanalyze: compiling [a-z ]+ \(first run only\): about \d+ s\n")


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def hanalyze(*arguments: str | Path, columns: int = 120, stdin: bytes = b"", **environment: str) -> Ran:
    """Run `hanalyze` with these arguments; keywords in capitals are variables of the environment.

    Whether it had to compile first is left out of `err`: that depends on what ran before.
    """
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    variables = {"COLUMNS": str(columns), **environment}
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        patch.dict(os.environ, variables),
        pytest.raises(SystemExit) as ended,
    ):
        main([str(argument) for argument in arguments])
    out.flush()
    err.flush()
    assert isinstance(ended.value.code, int)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Ran(ended.value.code, texts[0], ANNOUNCED.sub("", texts[1]))


def saved(folder: Path, *records: GameRecord, name: str = "games.jsonl") -> Path:
    """Write records to a file in `folder` and return its path."""
    write(records, folder / name)
    return folder / name
