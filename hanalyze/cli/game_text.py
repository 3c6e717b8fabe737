"""A recorded game as text: its heading, a table of its turns or one position, its result and defects."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

from hanalyze.cli.screen import Line, Part, Words, cells, line_cells, padded, plain, stack_text, wrapped
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import mask_of
from hanalyze.game.variants import Variant
from hanalyze.logs.record import GameRecord
from hanalyze.position import HeldCard, Position
from hanalyze.replaying import FoundDefect, Replay
from hanalyze.text import printable, shorten


class _Shape(NamedTuple):
    """A layout of the table of turns; the defaults are the widest."""

    gap: int = 2  # spaces between two columns
    letters: bool = True  # whether the cells of the stacks have suit letters, not only the heading
    heads: int = 0  # index into `_HEADS`
    brief: bool = False  # whether touched slots are shown as numbers only, without words
    names: int = 40  # maximum length of a player's name in characters
    without: frozenset[str] = frozenset()  # columns that are left out


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
_OPTIONS: Final = "deck_plays empty_clues card_cycle one_extra_card one_less_card all_or_nothing speedrun"
_RISKS: Final = {"High": "yellow", "Zero": "red"}


def turns_table(
    replay: Replay, words: Callable[[int], Words], width: int, hidden: Collection[int] = ()
) -> list[Line]:
    """Return the table of the turns; `words` takes the maximum length of a name and returns the game's words.

    A table that is too wide is drawn with less space, then with shorter words and names, then with fewer
    columns; finally, long actions are cut. Cards drawn by players in the `hidden` seats are question marks.
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
        room = widths["action"]
        columns["action"] = [
            line if line_cells(line) <= room else [(_cut_text(plain(line), room), "")]
            for line in columns["action"]
        ]
    table: list[Line] = []
    for row in zip(*columns.values(), strict=True):
        line: list[Part] = []
        for (name, column), cell in zip(widths.items(), row, strict=True):
            line += [(" " * shape.gap if line else "", ""), *padded(cell, column, name not in _LEFT)]
        table.append(line)
    return [[(text, "bold") for text, _ in table[0]], *table[1:]]


def _cut_text(text: str, width: int) -> str:
    # Some characters are two columns wide.
    cut = width
    while cells(short := shorten(text, cut)) > width:
        cut -= 1
    return short


def _stacks(replay: Replay, rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return the texts of the stacks after each turn, a list per turn, indexed by suit."""
    ranks: list[list[int]] = [[] for _ in replay.variant.suits]
    now = [stack_text(stack, replay.variant) for stack in ranks]
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
    is_lower = row["max_score_after"] < row["max_score_before"]
    return [(f"{row['score_after']}/", ""), (str(row["max_score_after"]), "yellow" if is_lower else "")]


def _pace(row: dict[str, Any]) -> Line:
    if row["pace_after"] is None:
        return [("-", "")]
    return [(str(row["pace_after"]), _RISKS.get(row["pace_risk_after"], ""))]


# --- one position ------------------------------------------------------------------------------------------


def board(replay: Replay, position: Position, words: Words, width: int) -> list[Line]:
    """Return the lines of a position: stacks, discards and hands; a hidden card is a question mark.

    Below each card are the clues that touched it, then the clues that did not touch it, such as "not b1" for
    blue and 1. A clue that did not touch the card is shown only if it rules out further identities.
    """
    whose = f"{words.players[position.seat]} to play"
    if position.end_condition != "unfinished":
        whose = f"the game is over: {position.end_condition.replace('_', ' ')}"
    counts = f"score {position.score} of {position.max_score}, clues {position.clue_tokens}"
    counts += f", strikes {position.strikes}, deck {position.deck}"
    counts += f", pace {'-' if position.pace is None else position.pace}"
    lines: list[Line] = [[(f"turn {position.turn + 1}: ", "bold"), (whose, "bold")], [(counts, "")]]
    if position.turn:
        row = next(row for row in replay.facts() if row["turn"] == position.turn - 1)
        action = replay.record.actions[position.turn - 1]
        lines.append([(f"before: {words.actor(row, action)} ", ""), *words.action(row, action)])
    lines.append([])
    stacks = [
        [(letter + stack_text([card.rank for card in cards], replay.variant), style)]
        for letter, cards, style in zip(words.letters, position.stacks, words.suit_styles, strict=True)
    ]
    lines += wrapped("stacks  ", stacks, width)
    discards = [[words.card(card)] for card in sorted(position.discards)]
    lines += wrapped("discards", discards or [[("none", "")]], width)
    lines.append([])
    lines += _hands(replay, position, words, width)
    return lines


def _hands(replay: Replay, position: Position, words: Words, width: int) -> list[Line]:
    """Return the lines of the hands: cards, and below them their clues (letters if words are too wide)."""
    newest_left = replay.rules.newest == "left"
    blocks: list[list[list[Line]]] = []
    for brief in (False, True):
        blocks = []
        for hand in position.hands:
            cards = reversed(hand) if newest_left else iter(hand)
            blocks.append([_card(card, replay.variant, words, brief) for card in cards])
        columns = [
            max(line_cells(line) for block in blocks if at < len(block) for line in block[at])
            for at in range(max(map(len, blocks)))
        ]
        names = max(4, *(cells(name) for name in words.players)) + 2
        if names + sum(column + 2 for column in columns) <= width:
            break
    most = len(columns)
    slots = range(1, most + 1) if newest_left else range(most, 0, -1)
    # If the newest card is on the right, hands are aligned at slot 1: a short hand starts further right.
    head = [("slot".ljust(names), "dim")]
    for slot, column in zip(slots, columns, strict=True):
        head += padded([(f"  {slot}", "dim")], column + 2)
    lines: list[Line] = [[(f"hands, newest card on the {replay.rules.newest}", "")], head]
    for seat, block in enumerate(blocks):
        missing = 0 if newest_left else most - len(block)
        mark = "> " if seat == position.seat and position.end_condition == "unfinished" else "  "
        for height in range(max((len(card) for card in block), default=1)):
            line: list[Part] = padded([(mark + words.players[seat], "bold")] if not height else [], names)
            line.append((" " * sum(column + 2 for column in columns[:missing]), ""))
            for card, column in zip(block, columns[missing:], strict=False):
                line.append(("  ", ""))
                line += padded(card[height] if height < len(card) else [], column)
            lines.append(line)
    return lines


def _card(card: HeldCard, variant: Variant, words: Words, brief: bool) -> list[Line]:
    """Return the lines of a card in a hand: its name, the clues that touched it, the clues that did not."""
    lines: list[Line] = [[("?", "") if card.card is None else words.card(card.card)]]
    possible = mask_of(variant.deck)
    touching = dict.fromkeys((mark.kind, mark.value) for mark in card.clues if mark.touched)
    for kind, value in touching:
        possible &= _touch(variant, kind, value)
    missing = {(mark.kind, mark.value) for mark in card.clues if not mark.touched and mark.value >= 0}
    excluding = sorted(clue for clue in missing if _touch(variant, *clue) & possible)
    if touching:
        clues: list[Part] = []
        for clue in touching:
            clues += [
                ("" if brief or not clues else " ", ""),
                _letter(words, *clue) if brief or clue[1] < 0 else words.clue(*clue),
            ]
        lines.append(clues)
    if excluding:
        lines.append([("not " + "".join(_letter(words, *clue)[0] for clue in excluding), "dim")])
    return lines


def _touch(variant: Variant, kind: int, value: int) -> int:
    """Return the mask of the identities that a clue touches; all identities if its value is hidden."""
    if value < 0:
        return -1
    if kind == ActionKind.COLOUR_CLUE:
        return variant.colour_touch[value]
    return variant.rank_touch[variant.clue_ranks.index(value)]


def _letter(words: Words, kind: int, value: int) -> Part:
    if value < 0:
        return "?", ""
    if kind == ActionKind.COLOUR_CLUE:
        return words.colour_letters[value], words.colour_styles[value]
    return str(value), ""


# --- the lines above and below a game's turns --------------------------------------------------------------


def edition_name(replay: Replay, edition: str | None) -> str:
    """Return the edition that a game was replayed with; `edition` is that of the command line, if any."""
    return edition or replay.record.edition or replay.rules.edition


def heading(replay: Replay, words: Words, edition: str | None, width: int) -> list[Line]:
    """Return the lines above a game; `edition` is that of the command line, if any."""
    record = replay.record
    facts = [f"variant {replay.variant.name}", f"edition {shorten(edition_name(replay, edition))}"]
    if record.seed is not None:
        facts.append(f"seed {shorten(record.seed)}")
    options = [name.replace("_", " ") for name in _OPTIONS.split() if getattr(record.options, name)]
    if record.options.starting_player:
        options.append(f"{words.players[record.options.starting_player]} begins")
    if record.deck_known is not None:
        facts.append(f"only the first {record.deck_known} cards known (others in arbitrary order)")
    if options:
        facts.append(f"options: {', '.join(options)}")
    lines: list[Line] = [title(record)]
    for label, items in (("players ", words.players), ("rules   ", facts)):
        lines += wrapped(label, [[(f"{item},", "")] for item in items[:-1]] + [[(items[-1], "")]], width)
    return lines


def title(record: GameRecord) -> Line:
    """Return a game's name, file and line; file and line distinguish games with the same name."""
    place = ""
    if record.file not in (None, "-"):
        place = f" ({printable(str(record.file))}" + (f", line {record.line})" if record.line else ")")
    return [(f"game {shorten(record.name)}", "bold"), (place, "dim")]


def outcome(replay: Replay, width: int) -> list[Line]:
    """Return the lines below a game: its result, actions that were not carried out, and its defects."""
    full = replay.variant.max_score
    result = f"{replay.score} of {full} points"
    if replay.max_score < full:
        result += f" ({replay.max_score} were still possible)"
    if replay.raw_score != replay.score:
        result += f", {replay.raw_score} on the stacks"
    result += f"; ended: {replay.end_condition.replace('_', ' ')}"
    if replay.rating is not None:
        result += f"; rating: {replay.rating}"
    lines: list[Line] = list(wrapped("result  ", [[(word, "bold")] for word in result.split()], width))
    actions = len(replay.record.actions)
    if left := actions - replay.turn_count:
        last, were = ("the last", "was") if left == 1 else (f"the last {left}", "were")
        lines.append([(f"          {last} of the log's {actions} actions {were} not carried out", "")])
    return [*lines, *(_defect(defect) for defect in replay.defects)]


def _defect(defect: FoundDefect) -> Line:
    where = f"turn {defect.turn + 1}: " if defect.turn is not None else ""
    return [
        ("defect    ", "red"),
        (f"{where}{defect.rule.sentence}: {printable(defect.found)}", ""),
        (f" [{defect.rule.label}]", "dim"),
    ]
