"""Standard output: styled lines for people, JSON for programs; progress bars on standard error.

Styles need a terminal or FORCE_COLOR; NO_COLOR turns them off. Text is never read as markup.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hanalyze.cli.words import Part
from hanalyze.output import write_bytes

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from hanalyze.store import Progress


Line = Sequence[Part]
_WIDE: Final = 120


class Screen:
    """Standard output for people: its width and its styles."""

    @cached_property
    def _paint(self) -> Callable[[str, str], str] | None:
        """Function that adds a style to a text; None if styles are off."""
        if os.environ.get("NO_COLOR") or not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
            return None
        # Imported here: slow, and not needed for pipes.
        from rich.color import ColorSystem
        from rich.console import Console
        from rich.style import Style

        console = Console(file=sys.stdout)
        systems = {
            "standard": ColorSystem.STANDARD,
            "256": ColorSystem.EIGHT_BIT,
            "truecolor": ColorSystem.TRUECOLOR,
        }
        system = systems.get(console.color_system or "")
        if system is None:
            return None

        def paint(text: str, style: str) -> str:
            return Style.parse(style).render(text, color_system=system)

        return paint

    @cached_property
    def width(self) -> int:
        """Width in columns: COLUMNS, else the terminal (also if a pager reads the output), else 120."""
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns[:9]):
            return int(columns[:9])
        for stream in (sys.stdout, sys.stderr, sys.stdin):
            with suppress(AttributeError, OSError, ValueError):
                return os.get_terminal_size(stream.fileno()).columns
        return _WIDE

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines; long ones are neither cut nor wrapped."""
        paint = self._paint
        output = []
        for line in lines:
            # Remove trailing spaces.
            bare = "".join([text for text, _ in line]).rstrip()
            if paint is None:
                output.append(bare)
                continue
            room, parts = len(bare), []
            for text, style in line:
                part = text[: max(room, 0)]
                parts.append(paint(part, style) if style and part else part)
                room -= len(text)
            output.append("".join(parts))
        sys.stdout.write("\n".join([*output, ""]))
        sys.stdout.flush()


def open_in_browser(path: str, place: str = "") -> bool:
    """Open a page, at a `place` such as "#turn=3", and return whether a browser was found."""
    import webbrowser  # slow to import

    return webbrowser.open(pathlib.Path(path).resolve().as_uri() + place)


def cells(text: str) -> int:
    """Return the width of a text on a terminal in columns.

    >>> cells("Zoe"), cells("花火")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def line_cells(line: Line) -> int:
    """Return the width of a line on a terminal in columns."""
    return sum(cells(text) for text, _ in line)


def padded(line: Line, width: int, right: bool = False) -> list[Part]:
    """Pad a line with spaces to `width` columns; `right` aligns the text to the right.

    >>> padded([("g3", "green")], 4, right=True)
    [('  ', ''), ('g3', 'green')]
    """
    space = " " * (width - line_cells(line))
    if not space:
        return list(line)
    return [(space, ""), *line] if right else [*line, (space, "")]


def wrapped(label: str, words: Iterable[Line], width: int) -> list[list[Part]]:
    """Wrap words to lines of at most `width` columns, after a label; words are not broken.

    >>> wrapped("lost", [[("r1", "red")], [("r2", "red")], [("b1", "blue")]], 12)
    [[('lost', ''), ('  ', ''), ('r1', 'red'), (' ', ''), ('r2', 'red')], [('      ', ''), ('b1', 'blue')]]
    """
    indent = cells(label) + 2
    lines: list[list[Part]] = [[(label, ""), ("  ", "")]]
    used = indent
    for word in words:
        size = line_cells(word)
        if used > indent and used + 1 + size > width:
            lines.append([(" " * indent, "")])
            used = indent
        if used > indent:
            lines[-1].append((" ", ""))
            used += 1
        lines[-1].extend(word)
        used += size
    return lines


def attributes(value: object, names: str) -> dict[str, Any]:
    """Return attributes of an object by their names, which are separated by spaces."""
    return {name: getattr(value, name) for name in names.split()}


def show_json(value: Any) -> None:
    """Print a value as JSON on one line, in ASCII if other characters could control a terminal."""
    import msgspec

    line = msgspec.json.encode(value)
    if not line.isascii() or b"\x7f" in line:
        line = json.dumps(value, separators=(",", ":")).encode("ascii")
    write_bytes(line + b"\n", "-")


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
