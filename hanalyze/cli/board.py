"""A position drawn as text: stacks, discards, and the hands with the clues that their cards were given.

In: a `Position` and the words of its game. Out: lines. Under each card stand the clues that touched it, and
below those what the others told: "not b1" for a clue of blue and one of 1 that both passed it by, as far as
this says more than the clues that touched it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hanalyze.cli.screen import Line, cells, padded, wrapped
from hanalyze.cli.stacks import stack_text
from hanalyze.cli.words import Part, Words
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import mask_of
from hanalyze.game.variants import Variant

if TYPE_CHECKING:
    from hanalyze.position import HeldCard, Position
    from hanalyze.replaying import Replay


def board(
    replay: Replay, position: Position, words: Words, width: int, hidden: Collection[int]
) -> list[Line]:
    """Return the lines of a position; the cards in the `hidden` seats are not told."""
    over = position.end_condition != "unfinished"
    whose = (
        f"the game is over: {position.end_condition.replace('_', ' ')}"
        if over
        else f"{words.players[position.seat]} to play"
    )
    pace = "-" if position.pace is None else str(position.pace)
    lines: list[Line] = [
        [(f"turn {position.turn + 1}: ", "bold"), (whose, "bold")],
        [
            (
                f"score {position.score} of {position.max_score}, clues {position.clue_tokens}, strikes"
                f" {position.strikes}, deck {position.deck}, pace {pace}",
                "",
            )
        ],
    ]
    if position.turn:
        lines.append(_before(replay, position.turn - 1, words))
    lines.append([])
    lines += wrapped("stacks  ", _stacks(replay, position, words), width)
    lines += wrapped("discards", _discards(position, words) or [[("none", "")]], width)
    lines.append([])
    lines += _hands(replay, position, words, width, hidden)
    return lines


def _before(replay: Replay, turn: int, words: Words) -> Line:
    row = next(row for row in replay.facts() if row["turn"] == turn)
    action = replay.record.actions[turn]
    return [(f"before: {words.actor(row, action)} ", ""), *words.action(row, action)]


def _stacks(replay: Replay, position: Position, words: Words) -> list[Line]:
    return [
        [(words.letters[suit] + stack_text([card.rank for card in cards], replay.variant), style)]
        for suit, (cards, style) in enumerate(zip(position.stacks, words.suit_styles, strict=True))
    ]


def _discards(position: Position, words: Words) -> list[Line]:
    return [[words.card(card)] for card in sorted(position.discards)]


def _hands(
    replay: Replay, position: Position, words: Words, width: int, hidden: Collection[int]
) -> list[Line]:
    """Return a block of lines a hand: the cards, and their clues below.

    In letters instead of words if it gets too wide.
    """
    newest_left = replay.rules.newest == "left"
    blocks: list[list[list[Line]]] = []
    for brief in (False, True):
        blocks = []
        for seat, hand in enumerate(position.hands):
            shown = reversed(hand) if newest_left else iter(hand)
            blocks.append([_card(held, replay.variant, words, seat in hidden, brief) for held in shown])
        columns = [
            max(_width(block[at]) for block in blocks if at < len(block))
            for at in range(max(map(len, blocks)))
        ]
        names = max(4, *(cells(name) for name in words.players)) + 2
        if names + sum(column + 2 for column in columns) <= width:
            break
    most = len(columns)
    slots = range(1, most + 1) if newest_left else range(most, 0, -1)
    # With the newest card at the right a short hand ends at slot 1, so it begins further to the right.
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


def _width(card: list[Line]) -> int:
    return max(sum(cells(text) for text, _ in line) for line in card)


def _card(held: HeldCard, variant: Variant, words: Words, hidden: bool, brief: bool) -> list[Line]:
    """Return the lines of a card in a hand: what it is, what touched it, what it is not."""
    lines: list[Line] = [[("?", "") if hidden else words.card(held.card)]]
    known = mask_of(variant.deck)
    touching = dict.fromkeys((mark.kind, mark.value) for mark in held.clues if mark.touched)
    for kind, value in touching:
        known &= _touch(variant, kind, value)
    passing = dict.fromkeys((mark.kind, mark.value) for mark in held.clues if not mark.touched)
    telling = sorted(clue for clue in passing if _touch(variant, *clue) & known)
    if touching:
        clues: list[Part] = []
        for clue in touching:
            clues += [
                ("" if brief or not clues else " ", ""),
                _letter(words, *clue) if brief else words.clue(*clue),
            ]
        lines.append(clues)
    if telling:
        lines.append([("not " + "".join(_letter(words, *clue)[0] for clue in telling), "dim")])
    return lines


def _touch(variant: Variant, kind: int, value: int) -> int:
    """Return the identities that a clue touches."""
    if kind == ActionKind.COLOUR_CLUE:
        return variant.colour_touch[value]
    return variant.rank_touch[variant.clue_ranks.index(value)]


def _letter(words: Words, kind: int, value: int) -> Part:
    if kind == ActionKind.COLOUR_CLUE:
        return words.colour_letters[value], words.colour_styles[value]
    return str(value), ""
