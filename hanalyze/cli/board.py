"""A position drawn as text: stacks, discards, and hands.

Below each card are the clues that touched it, then the clues that did not touch it, such as "not b1" for blue
and 1. A clue that did not touch the card is shown only if it excludes further identities.
"""

from __future__ import annotations

from hanalyze.cli.screen import Line, cells, line_cells, padded, wrapped
from hanalyze.cli.words import Part, Words, stack_text
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import mask_of
from hanalyze.game.variants import Variant
from hanalyze.position import HeldCard, Position
from hanalyze.replaying import Replay


def board(replay: Replay, position: Position, words: Words, width: int) -> list[Line]:
    """Return the lines of a position; a hidden card is a question mark."""
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
    discards = [[words.card(card)] for card in sorted(position.discards)]
    lines += wrapped("discards", discards or [[("none", "")]], width)
    lines.append([])
    lines += _hands(replay, position, words, width)
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
    missing = dict.fromkeys(
        (mark.kind, mark.value) for mark in card.clues if not mark.touched and mark.value >= 0
    )
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
