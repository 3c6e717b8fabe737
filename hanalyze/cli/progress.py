"""Progress bars on standard error, shown only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from hanalyze.store import Progress


@contextmanager
def _bar(*columns: str) -> Iterator[Bar]:
    """Open a progress bar with these text columns before it, and the elapsed and remaining time after it."""
    from rich import progress as rich  # slow to import
    from rich.console import Console

    texts = [rich.TextColumn(column) for column in columns]
    with rich.Progress(
        *texts,
        rich.BarColumn(),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        yield bar


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that shows the progress of a database; None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar("{task.description}") as bar:
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


@contextmanager
def games_bar(total: int) -> Iterator[Callable[[int], Any]]:
    """Yield a function that shows the number of finished games; it does nothing without a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with _bar("games", "{task.completed}/{task.total}") as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
