"""A small disk: a file system in memory, which only root can mount.

Without the right to mount, the test is skipped; for root in CI, it fails.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class SmallDisk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def grow(self, megabytes: int) -> None:
        subprocess.run(
            ["mount", "-o", f"remount,size={megabytes}m", str(self.folder)], check=True, capture_output=True
        )

    def fill(self, left: int) -> Path:
        """Write a file that leaves the given number of bytes free, and return it."""
        there = os.statvfs(self.folder)
        file = self.folder / "filler"
        file.write_bytes(bytes(max(there.f_bavail * there.f_frsize - left, 0)))
        return file


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        reason = f"no small disk can be mounted: {mounted.stderr.strip()}"
        if os.environ.get("CI") and os.geteuid() == 0:
            pytest.fail(reason)
        pytest.skip(reason)
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
