"""Table of the turns of a game that fits the terminal.

A table that is too wide is drawn with less space, then with shorter words and names, then with fewer
columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

from hanalyze.cli.screen import Line, cells, line_cells, padded
from hanalyze.cli.words import Part, Words, plain, stack_text
from hanalyze.replaying import Replay
from hanalyze.text import shorten


class _Shape(NamedTuple):
    """Settings that make the table narrower."""

    gap: int = 2
    """Spaces between two columns."""
    letters: bool = True
    """Whether each cell of the stacks has suit letters; otherwise only the column's head has them."""
    heads: int = 0
    """Index into `_HEADS`."""
    brief: bool = False
    """Whether touched slots are shown as numbers only, without words."""
    names: int = 40
    """Maximum length of a player's name in characters."""
    without: frozenset[str] = frozenset()
    """Columns that are left out."""


_SMALL: Final = _Shape(gap=1, letters=False, heads=2, brief=True)
_SHAPES: Final = (
    _Shape(),
    _Shape(letters=False),
    _Shape(gap=1, letters=False),
    _Shape(gap=1, letters=False, heads=1),
    _Shape(gap=1, letters=False, heads=1, brief=True),
    _SMALL,
    _SMALL._replace(names=10),
    _SMALL._replace(names=8),
    _SMALL._replace(names=6),
    _SMALL._replace(names=6, without=frozenset({"pace"})),
    _SMALL._replace(names=6, without=frozenset({"pace", "drew"})),
    _SMALL._replace(names=6, without=frozenset({"pace", "drew", "deck", "strikes"})),
)

_HEADS: Final[tuple[dict[str, str], ...]] = (
    {},
    {"clues": "clue", "strikes": "str"},
    {"turn": "#", "clues": "clu", "strikes": "str"},
)
_LEFT: Final = ("player", "action", "drew", "stacks")
_SMALLEST_ACTION: Final = 12
_RISKS: Final = {"High": "yellow", "Zero": "red"}


def turns_table(
    replay: Replay, words: Callable[[int], Words], width: int, hidden: Collection[int] = ()
) -> list[Line]:
    """Return the table's lines; `words` takes the maximum length of a name and returns the game's words.

    Cards drawn by players in the `hidden` seats are shown as question marks.
    """
    rows = list(replay.facts())
    stacks = _stacks(replay, rows)
    for shape in _SHAPES:
        columns = _columns(replay, rows, stacks, words(shape.names), shape, hidden)
        widths = {name: max(map(line_cells, lines)) for name, lines in columns.items()}
        excess = sum(widths.values()) + shape.gap * (len(widths) - 1) - width
        if excess <= 0:
            break
    else:
        widths["action"] = max(_SMALLEST_ACTION, widths["action"] - excess)
        columns["action"] = [_cut(line, widths["action"]) for line in columns["action"]]
    table: list[Line] = []
    for row in zip(*columns.values(), strict=True):
        line: list[Part] = []
        for (name, column), cell in zip(widths.items(), row, strict=True):
            line += [(" " * shape.gap if line else "", ""), *padded(cell, column, name not in _LEFT)]
        table.append(line)
    return [[(text, "bold") for text, _ in table[0]], *table[1:]]


def _cut(line: Line, width: int) -> Line:
    return line if line_cells(line) <= width else [(_cut_text(plain(line), width), "")]


def _cut_text(text: str, width: int) -> str:
    # Some characters are two columns wide.
    cut = width
    while cells(short := shorten(text, cut)) > width:
        cut -= 1
    return short


def _stacks(replay: Replay, rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return the text of each stack after each turn."""
    ranks: list[list[int]] = [[] for _ in replay.variant.suits]
    now = [stack_text(one, replay.variant) for one in ranks]
    texts = []
    for row in rows:
        if row["result"] == "played":
            suit = row["suit"]
            ranks[suit].append(row["rank"])
            now = [*now[:suit], stack_text(ranks[suit], replay.variant), *now[suit + 1 :]]
        texts.append(now)
    return texts


def _columns(
    replay: Replay,
    rows: list[dict[str, Any]],
    stacks: list[list[str]],
    words: Words,
    shape: _Shape,
    hidden: Collection[int],
) -> dict[str, list[Line]]:
    """Return the columns by name; each begins with its head."""
    actions = [replay.record.actions[row["turn"]] for row in rows]
    both = list(zip(rows, actions, strict=True))
    widths = [max((len(texts[suit]) for texts in stacks), default=1) for suit in range(len(words.letters))]
    lines_of: dict[str, list[Line]] = {
        "turn": [[(str(row["turn"] + 1), "")] for row in rows],
        "player": [[(words.actor(row, action), "")] for row, action in both],
        "action": [words.action(row, action, brief=shape.brief) for row, action in both],
        "drew": [_drawn(replay, words, row, hidden) for row in rows],
        "stacks": [_stack_cells(words, texts, widths, shape.letters) for texts in stacks],
        "score": [_score(row) for row in rows],
        "clues": [[(str(row["clue_tokens_after"]), "")] for row in rows],
        "strikes": [
            [(str(row["strikes_after"]), "red" if row["strikes_after"] > row["strikes_before"] else "")]
            for row in rows
        ],
        "deck": [[(str(row["deck_after"]), "")] for row in rows],
        "pace": [_pace(row) for row in rows],
    }
    columns = {}
    for name, lines in lines_of.items():
        head: Line = [(_HEADS[shape.heads].get(name, name), "")]
        if name == "stacks" and not shape.letters:
            head = _stack_cells(words, list(words.letters), widths, letters=False)
        if name not in shape.without:
            columns[name] = [head, *lines]
    return columns


def _drawn(replay: Replay, words: Words, row: dict[str, Any], hidden: Collection[int]) -> Line:
    if row["drawn"] is None:
        return []
    return [("?" if row["seat"] in hidden else words.card(replay.deck[row["drawn"]])[0], "dim")]


def _stack_cells(words: Words, texts: list[str], widths: list[int], letters: bool) -> Line:
    parts: list[Part] = []
    for suit, text in enumerate(texts):
        stack = (words.letters[suit] if letters else "") + text.ljust(widths[suit])
        parts += [(" " if suit else "", ""), (stack, "dim" if text == "0" else words.suit_styles[suit])]
    return parts


def _score(row: dict[str, Any]) -> Line:
    lost = row["max_score_after"] < row["max_score_before"]
    return [(f"{row['score_after']}/", ""), (str(row["max_score_after"]), "yellow" if lost else "")]


def _pace(row: dict[str, Any]) -> Line:
    if row["pace_after"] is None:
        return [("-", "")]
    return [(str(row["pace_after"]), _RISKS.get(row["pace_risk_after"], ""))]
