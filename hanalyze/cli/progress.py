"""How far a long command is: a bar on standard error.

In: `Progress` after every piece. Out: the bar, on a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanalyze.store import Progress


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """Give what shows the progress on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def show(progress: Progress) -> None:
            rate = progress.games / progress.seconds if progress.seconds else 0
            bar.update(
                task,
                description=f"{progress.games:,} games, {rate:,.0f}/s",
                total=progress.total or None,
                completed=progress.done,
            )

        yield show
