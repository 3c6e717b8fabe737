"""The text that the Hanabi Learning Environment prints of a state, and the move between two such states.

The text (`str(state)`) has all hands, the clues to their cards, tokens, stacks and discards:

    Life tokens: 3
    Info tokens: 8
    Fireworks: R0 Y0 G0 W0 B0
    Hands:
    Cur player
    B5 || XX|RYGWB12345
    ...
    -----
    Y5 || XX|RYGWB12345
    ...
    Deck size: 40
    Discards: G1 W2

A card's line: the card, the colour and rank that were told of it (X: none), what clues still allow. A move is
written as the library writes it, but for the brackets: `Play 0`, `Discard 4`, `Reveal player +1 color R`,
`Reveal player +2 rank 3`.

Source: hanabi-learning-environment, `hanabi_state.cc`, `hanabi_hand.cc`, `hanabi_move.cc`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hanalyze.errors import LogError
from hanalyze.game.rules import Rules
from hanalyze.text import shorten

_COLOURS: Final = "RYGWB"
_RANKS: Final = "12345"
_UNTOLD: Final = " || XX|RYGWB12345"
_LIVES: Final = 3
_TOKENS: Final = 8
_CARDS: Final = 50
_LONGEST: Final = 4000
"""A text with all cards in hands or discards has a third of it."""

_CARD: Final = r"[RYGWB][1-5]"
_LINE: Final = re.compile(rf"{_CARD} \|\| [RYGWBX][1-5X]\|R?Y?G?W?B?1?2?3?4?5?")
_STATE: Final = re.compile(
    r"Life tokens: ([0-9])\nInfo tokens: ([0-9])\n"
    r"Fireworks: R([0-5]) Y([0-5]) G([0-5]) W([0-5]) B([0-5]) ?\nHands:\n"
    rf"([^:]*)Deck size: ([0-9]{{1,2}})\nDiscards:((?: {_CARD})*)\s*"
)
_EXPECTED: Final = (
    (re.compile(r"Life tokens: [0-9]"), "Life tokens: 3"),
    (re.compile(r"Info tokens: [0-9]"), "Info tokens: 8"),
    (re.compile(r"Fireworks: R[0-5] Y[0-5] G[0-5] W[0-5] B[0-5] ?"), "Fireworks: R0 Y0 G0 W0 B0"),
    (re.compile(r"Hands:"), "Hands:"),
)
"""The lines above the hands."""
_IN_HANDS: Final = re.compile(rf"{_LINE.pattern}|Cur player|-----")
_AFTER_HANDS: Final = (
    (re.compile(r"Deck size: [0-9]{1,2}"), "Deck size: 40"),
    (re.compile(rf"Discards:(?: {_CARD})*\s*"), "Discards: G1 W2"),
)
_MOVE: Final = re.compile(
    r"(?:Play|Discard) [0-4]|Reveal player \+[1-4] (?:color [RYGWB]|rank [1-5])", re.IGNORECASE | re.ASCII
)


class State(NamedTuple):
    """A state as it is printed; a hand is the lines of its cards, the oldest first, seats count from 0."""

    lives: int
    tokens: int
    stacks: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    mover: int
    deck: int
    discards: tuple[str, ...]


def state_of(text: str) -> State:
    """Return the state that a text shows. Raises `LogError` (rule `bad_state`).

    >>> state_of("Player 1 to move")
    Traceback (most recent call last):
    hanalyze.errors.LogError: expected a line such as "Life tokens: 3", found "Player 1 to move"
    """
    if len(text) > _LONGEST:
        raise _bad(f"a text of {len(text):,} characters, which is longer than that of any state")
    text = text.strip().replace("\r\n", "\n")
    found = _STATE.fullmatch(text)
    hands = [block.splitlines() for block in found[8].split("-----\n")] if found is not None else []
    movers = [seat for seat, lines in enumerate(hands) if lines and lines[0] == "Cur player"]
    if found is None or len(movers) != 1:
        raise _bad(_wrong(text))
    del hands[movers[0]][0]
    if any(not _LINE.fullmatch(line) for lines in hands for line in lines):
        raise _bad(_wrong(text))
    if not 2 <= len(hands) <= 5:
        raise _bad(f"{len(hands)} hands, but there can be 2 to 5")
    lives, tokens, *stacks = (int(one) for one in found.groups()[:7])
    discards = tuple(found[10].split())
    return State(lives, tokens, tuple(stacks), tuple(map(tuple, hands)), movers[0], int(found[9]), discards)


def _wrong(text: str) -> str:
    """Return what was expected and what was found, at the first line that is otherwise."""
    lines = iter(text.split("\n"))
    line: str | None = None
    for pattern, example in _EXPECTED:
        line = next(lines, None)
        if line is None or not pattern.fullmatch(line):
            return _found(example, line)
    line = next(lines, None)
    movers = 0
    while line is not None and _IN_HANDS.fullmatch(line):
        movers += line == "Cur player"
        line = next(lines, None)
    for number, (pattern, example) in enumerate(_AFTER_HANDS):
        if line is None or not pattern.fullmatch(line):
            is_card = number == 0 and line is not None
            return _found(f"R1{_UNTOLD}" if is_card else example, line)
        line = next(lines, None)
    if movers != 1:
        return f'expected a line "Cur player" above the cards of one hand, found {movers}'
    return _found("Discards: G1 W2", line) if line is not None else "the hands are not one below the other"


def _found(expected: str, line: str | None) -> str:
    there = "the end of the text" if line is None else f'"{shorten(line)}"'
    return f'expected a line such as "{expected}", found {there}'


def is_beginning(state: State) -> bool:
    """Return whether nothing has been done yet in a state of an ordinary game of five colours."""
    size = Rules().hand_size(len(state.hands))
    return (
        (state.lives, state.tokens, state.stacks, state.discards) == (_LIVES, _TOKENS, (0,) * 5, ())
        and state.deck == _CARDS - size * len(state.hands)
        and all(len(hand) == size and all(line.endswith(_UNTOLD) for line in hand) for hand in state.hands)
    )


def card_of(line: str) -> int:
    """Return the card at the beginning of a line as `colour * 5 + rank`, both from 0.

    >>> card_of("Y3 || XX|RYGWB12345")
    7
    """
    return _COLOURS.index(line[0]) * 5 + int(line[1]) - 1


def move_text(text: str) -> str | None:
    """Return a move as it is written here, None for what is none.

    >>> move_text("(Reveal player +1 color R)"), move_text("play 0"), move_text("Play")
    ('Reveal player +1 color R', 'Play 0', None)
    """
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    if not _MOVE.fullmatch(text):
        return None
    kind, *rest = text.split(" ")
    kind = kind.capitalize()
    if kind != "Reveal":
        return f"{kind} {rest[0]}"
    return f"Reveal player {rest[1]} {rest[2].lower()} {rest[3].upper()}"


def number_of(move: str, players: int) -> int:
    """Return the number of a move (`hanalyze.logs.formats.hle`) with hands of the usual size.

    >>> number_of("Discard 0", 2), number_of("Play 1", 2), number_of("Reveal player +1 rank 1", 2)
    (0, 6, 15)
    """
    size = Rules().hand_size(players)
    kind, *rest = move.split(" ")
    if kind != "Reveal":
        return int(rest[0]) + (size if kind == "Play" else 0)
    ahead, is_rank = int(rest[1]) - 1, rest[2] == "rank"
    value = _RANKS.index(rest[3]) if is_rank else _COLOURS.index(rest[3])
    return 2 * size + 5 * ((players - 1) * is_rank + ahead) + value


def can(state: State, move: str) -> bool:
    """Return whether a move is allowed in a state.

    A discard needs a token that was used, a clue needs one that was not, and touches a card.
    """
    kind, *rest = move.split(" ")
    hand = state.hands[state.mover]
    if kind != "Reveal":
        return int(rest[0]) < len(hand) and (kind == "Play" or state.tokens < _TOKENS)
    players, ahead = len(state.hands), int(rest[1])
    if ahead >= players or state.tokens == 0:
        return False
    return any(rest[3] in line[:2] for line in state.hands[(state.mover + ahead) % players])


def moves_between(before: State, after: State) -> list[str]:
    """Return the moves that lead from a state to the next one; of several the oldest card's first.

    Several do so only where they leave the same state: cards that are alike and lie side by side, and clues
    that say nothing new.
    """
    players = len(before.hands)
    if len(after.hands) != players or after.mover != (before.mover + 1) % players:
        return []
    changed = [seat for seat in range(players) if before.hands[seat] != after.hands[seat]]
    if after.tokens == before.tokens - 1 and after.deck == before.deck:
        same = (before.lives, before.stacks, before.discards) == (after.lives, after.stacks, after.discards)
        return _clues(before, after, changed) if same else []
    if any(seat != before.mover for seat in changed):
        return []
    return _takes(before, after)


def _clues(before: State, after: State, changed: Sequence[int]) -> list[str]:
    players = len(before.hands)
    found = []
    for ahead in range(1, players):
        seat = (before.mover + ahead) % players
        if any(one != seat for one in changed):
            continue
        hand = before.hands[seat]
        for kind, values in (("color", _COLOURS), ("rank", _RANKS)):
            for value in values:
                touches = any(value in line[:2] for line in hand)
                if touches and tuple(_told(line, value) for line in hand) == after.hands[seat]:
                    found.append(f"Reveal player +{ahead} {kind} {value}")
    return found


@lru_cache(2**14)
def _told(line: str, value: str) -> str:
    """Return a card's line after its holder was told where all cards of a colour or rank are."""
    told, allowed = line[6:8], line[9:]
    of_kind = _COLOURS if value in _COLOURS else _RANKS
    if value not in line[:2]:
        return f"{line[:9]}{allowed.replace(value, '')}"
    told = value + told[1] if of_kind is _COLOURS else told[0] + value
    allowed = "".join(one for one in allowed if one not in of_kind or one == value)
    return f"{line[:6]}{told}|{allowed}"


def _takes(before: State, after: State) -> list[str]:
    hand, then = before.hands[before.mover], after.hands[before.mover]
    if before.deck:
        if len(then) != len(hand) or after.deck != before.deck - 1 or not then[-1].endswith(_UNTOLD):
            return []
        then = then[:-1]
    elif after.deck:
        return []
    found = []
    for place, line in enumerate(hand):
        if hand[:place] + hand[place + 1 :] != then:
            continue
        colour, rank = divmod(card_of(line), 5)
        gone = (*before.discards, line[:2])
        there = (after.lives, after.tokens, after.stacks, after.discards)
        if before.stacks[colour] == rank:
            stacks = (*before.stacks[:colour], rank + 1, *before.stacks[colour + 1 :])
            tokens = min(before.tokens + (rank == len(_RANKS) - 1), _TOKENS)
            played = (before.lives, tokens, stacks, before.discards)
        else:
            played = (before.lives - 1, before.tokens, before.stacks, gone)
        if there == played:
            found.append(f"Play {place}")
        elif before.tokens < _TOKENS and there == (before.lives, before.tokens + 1, before.stacks, gone):
            found.append(f"Discard {place}")
    return found


def _bad(what: str) -> LogError:
    return LogError(what, rule="bad_state")
