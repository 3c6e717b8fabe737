"""Standard output: styled words and lines for people, JSON for programs; progress bars on standard error.

Styles need a terminal or FORCE_COLOR; NO_COLOR turns them off. Text is never read as markup.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import START, rank_letter
from hanalyze.game.editions import EndCondition
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant
from hanalyze.output import write_bytes
from hanalyze.words import GameNames, slots_in_words

if TYPE_CHECKING:
    from hanalyze.store import Progress

Part: TypeAlias = tuple[str, str]  # a text and its Rich style (empty if it has none)

_STYLES: Final = {
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "blue": "bright_blue",
    "purple": "magenta",
    "teal": "cyan",
    "black": "bright_black",
    "white": "bold",
    "pink": "bright_magenta",
    "brown": "color(137)",
    "orange": "color(208)",
}
"""Rich styles of suits and clue colours; where possible terminal colours, which themes keep readable."""


def plain(parts: Sequence[Part]) -> str:
    """Return the text of parts without styles.

    >>> plain([("plays ", ""), ("g3", "green")])
    'plays g3'
    """
    return "".join(text for text, _ in parts)


def _suit_style(suit: Suit, name: str) -> str:
    colours = (name, *suit.clue_colours[:1]) if len(suit.clue_colours) == 1 else (name,)
    return next((_STYLES[colour.lower()] for colour in colours if colour.lower() in _STYLES), "")


def stack_text(ranks: Sequence[int], variant: Variant) -> str:
    """Return a play stack as text: its top rank, or 0 if empty; `ranks` are from the bottom.

    Up or Down adds the direction once it is known; Sudoku puts the first rank before the top rank.

    >>> from hanalyze.game.variants import variant
    >>> stack_text([1, 2, 3], variant("No Variant")), stack_text([], variant("No Variant"))
    ('3', '0')
    >>> stack_text([7, 4], variant("Up or Down (5 Suits)"))
    '4↓'
    >>> stack_text([3, 4, 5, 1], variant("Sudoku (5 Suits)"))
    '3-1'
    """
    if not ranks:
        return "0"
    top = rank_letter(ranks[-1])
    if variant.sudoku and len(ranks) > 1:
        return f"{ranks[0]}-{top}"
    if variant.up_or_down and ranks != [START]:
        goes_up = ranks[0] == 1 or ranks[:2] == [START, 2]
        return top + ("↑" if goes_up else "↓")
    return top


class Words(GameNames):
    """Names and terminal styles of one game.

    `suit_styles` is indexed by suit, `colour_styles` by clue colour.
    """

    def __init__(
        self, variant: Variant, suit_names: tuple[str, ...], players: Sequence[str], name_width: int = 40
    ) -> None:
        super().__init__(variant, suit_names, players, name_width)
        self.suit_styles = tuple(map(_suit_style, variant.suits, suit_names))
        self.colour_styles = tuple(_STYLES.get(colour, "") for colour in self.colours)

    def card(self, card: tuple[int, int]) -> Part:
        """Return a card's short name and its style."""
        return self.card_name(card), self.suit_styles[card[0]]

    def clue(self, kind: int, value: int) -> Part:
        """Return the colour or rank of a clue, and its style."""
        style = self.colour_styles[value] if kind == ActionKind.COLOUR_CLUE else ""
        return self.clue_name(kind, value), style

    def action(self, row: Mapping[str, Any], action: Action, *, brief: bool = False) -> list[Part]:
        """Return the action of a turn `row` in words, without the player; `brief` gives slots as numbers."""
        kind = row["action"]
        if kind == "end_game":
            is_vote = action.kind == ActionKind.END_VOTE or action.value == EndCondition.TERMINATED_BY_VOTE
            how = "vote" if is_vote else EndCondition(action.value).label.replace("_", " ")
            return [(f"ends the game ({how})", "")]
        if kind in ("play", "discard"):
            where = "the deck" if row["slot"] == 0 else f"slot {row['slot']}"
            parts = [(f"{kind}s ", ""), self.card((row["suit"], row["rank"])), (f" from {where}", "")]
            return [*parts, (", misplay", "red")] if row["result"] == "misplayed" else parts
        slots = [slot + 1 for slot in range(8) if row["touched_slots"] >> slot & 1]
        touched = ",".join(map(str, slots)) if brief and slots else slots_in_words(slots)
        return [
            (f"clues {self.players[row['receiver']]} ", ""),
            self.clue(action.kind, row["clue_value"]),
            (f" ({touched})", ""),
        ]

    def actor(self, row: Mapping[str, Any], action: Action) -> str:
        """Return the name of the player who acted, or "-" if no player did."""
        seat: int = row["seat"] if row["action"] != "end_game" else action.target
        return self.players[seat] if 0 <= seat < len(self.players) else "-"


# --- lines and JSON on standard output ----------------------------------------------------------------------

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
        from rich.console import COLOR_SYSTEMS, Console
        from rich.style import Style

        system = COLOR_SYSTEMS.get(Console(file=sys.stdout).color_system or "")
        if system is None:
            return None

        def paint(text: str, style: str) -> str:
            return Style.parse(style).render(text, color_system=system)

        return paint

    @cached_property
    def width(self) -> int:
        """Width in columns: COLUMNS, else that of the terminal (even if the output is piped), else 120."""
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
    column = indent
    for word in words:
        size = line_cells(word)
        if column > indent and column + 1 + size > width:
            lines.append([(" " * indent, "")])
            column = indent
        if column > indent:
            lines[-1].append((" ", ""))
            column += 1
        lines[-1].extend(word)
        column += size
    return lines


def attributes(value: object, names: str) -> dict[str, Any]:
    """Return attributes of an object by their names, which are separated by spaces."""
    return {name: getattr(value, name) for name in names.split()}


def show_json(value: Any) -> None:
    """Print a value as JSON on one line, in ASCII, because other characters may control a terminal."""
    import msgspec

    line = msgspec.json.encode(value)
    if not line.isascii() or b"\x7f" in line:
        line = json.dumps(value, separators=(",", ":")).encode("ascii")
    write_bytes(line + b"\n", "-")


@contextmanager
def _bar(total: int | None, *columns: str) -> Iterator[Callable[..., Any] | None]:
    """Yield a function that updates a progress bar with these text columns; None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich  # slow to import
    from rich.console import Console

    texts = [rich.TextColumn(column) for column in columns]
    times = rich.TimeElapsedColumn(), rich.TimeRemainingColumn()
    console = Console(stderr=True)
    with rich.Progress(*texts, rich.BarColumn(), *times, console=console, transient=True) as bar:
        yield partial(bar.update, bar.add_task("reading", total=total))


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that shows the progress of work on a database; None without a terminal."""
    with _bar(None, "{task.description}") as update:

        def show(progress: Progress) -> None:
            rate = progress.games / progress.seconds if progress.seconds else 0
            text = f"{progress.games:,} games, {rate:,.0f}/s"
            if update is not None:
                update(description=text, total=progress.total or None, completed=progress.done)

        yield update and show


@contextmanager
def games_bar(total: int) -> Iterator[Callable[[int], Any]]:
    """Yield a function that shows the number of finished games; it does nothing without a terminal."""
    with _bar(total, "games", "{task.completed}/{task.total}") as update:
        yield lambda done: update and update(completed=done)
