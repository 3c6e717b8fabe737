"""Peak memory of `hanalyze` in a separate process.

The figure is the kernel's for this process (Linux only), because `ru_maxrss` begins with the memory of the
parent process.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

_CODE = """
import re, sys
from hanalyze.cli.app import run
code = run(sys.argv[2:])
with open("/proc/self/status") as status, open(sys.argv[1], "w") as file:
    file.write(re.search(r"VmHWM:\\s*(\\d+) kB", status.read())[1])
sys.exit(code)
"""


class Measured(NamedTuple):
    """The exit code of a command, and its peak in MiB."""

    code: int
    peak: float


def measured(arguments: list[str], note: Path, **streams: Any) -> Measured:
    """Run a command; `note` is a file for its figure, `streams` are those of `subprocess.run`."""
    note.write_text("0")
    ran = subprocess.run([sys.executable, "-c", _CODE, str(note), *arguments], check=False, **streams)
    return Measured(ran.returncode, int(note.read_text()) / 1024)
