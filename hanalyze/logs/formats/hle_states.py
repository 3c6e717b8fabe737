"""States as the Hanabi Learning Environment prints them, and the move between two such states.

The line of a card, `B5 || XX|RYGWB12345`, contains the card, the clued colour and rank (X: not clued), and
the colours and ranks that clues leave possible. Moves are written as in the environment, without parentheses.
Source: hanabi-learning-environment, `hanabi_state.cc`, `hanabi_hand.cc`, `hanabi_move.cc`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from hanalyze.errors import LogError
from hanalyze.game.editions import Rules
from hanalyze.text import shorten

_bad: Final = partial(LogError, rule="bad_state")
_COLOURS: Final = "RYGWB"
_RANKS: Final = "12345"
_NO_CLUES: Final = " || XX|RYGWB12345"
_LIVES: Final = 3
_TOKENS: Final = 8
_CARDS: Final = 50
_LONGEST: Final = 4000  # maximum number of characters of a state

_CARD: Final = r"[RYGWB][1-5]"
_IN_HANDS: Final = re.compile(rf"{_CARD} \|\| [RYGWBX][1-5X]\|R?Y?G?W?B?1?2?3?4?5?|Cur player|-----")
_MOVE: Final = re.compile(
    r"(?:Play|Discard) [0-4]|Reveal player \+[1-4] (?:color [RYGWB]|rank [1-5])", re.IGNORECASE | re.ASCII
)


class State(NamedTuple):
    """A state as printed; a hand contains the lines of its cards, oldest first; `mover` is a seat from 0."""

    lives: int
    tokens: int
    stacks: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    mover: int
    deck: int
    discards: tuple[str, ...]


def state_of(text: str) -> State:
    """Return the state in a printed text. Raises `LogError` (rule `bad_state`).

    >>> state_of("Player 1 to move")
    Traceback (most recent call last):
    hanalyze.errors.LogError: expected a line such as "Life tokens: 3", found "Player 1 to move"
    """
    if len(text) > _LONGEST:
        raise _bad(f"a text of {len(text):,} characters, which is longer than that of any state")
    lines = deque(text.strip().replace("\r\n", "\n").split("\n"))
    [lives] = _fields(lines, r"Life tokens: ([0-9])", "Life tokens: 3")
    [tokens] = _fields(lines, r"Info tokens: ([0-9])", "Info tokens: 8")
    stacks = _fields(
        lines, r"Fireworks: R([0-5]) Y([0-5]) G([0-5]) W([0-5]) B([0-5]) ?", "Fireworks: R0 Y0 G0 W0 B0"
    )
    _fields(lines, r"Hands:", "Hands:")
    hands: list[list[str]] = [[]]
    movers = []
    while lines and _IN_HANDS.fullmatch(lines[0]):
        line = lines.popleft()
        if line == "Cur player":
            movers.append(len(hands) - 1)
        elif line == "-----":
            hands.append([])
        else:
            hands[-1].append(line)
    [deck] = _fields(lines, r"Deck size: ([0-9]{1,2})", f"R1{_NO_CLUES}")
    [discards] = _fields(lines, rf"Discards:((?: {_CARD})*)\s*", "Discards: G1 W2")
    if lines:
        raise _unexpected("Discards: G1 W2", lines)
    if len(movers) != 1:
        raise _bad(f'expected one line "Cur player", above the cards of a hand, found {len(movers)}')
    if not 2 <= len(hands) <= 5:
        raise _bad(f"{len(hands)} hands, but there can be 2 to 5")
    return State(
        int(lives),
        int(tokens),
        tuple(map(int, stacks)),
        tuple(map(tuple, hands)),
        movers[0],
        int(deck),
        tuple(discards.split()),
    )


def _fields(lines: deque[str], pattern: str, example: str) -> tuple[str, ...]:
    """Remove the next line and return its fields. Raises `LogError` if it does not match `pattern`."""
    match = re.fullmatch(pattern, lines[0]) if lines else None
    if match is None:
        raise _unexpected(example, lines)
    lines.popleft()
    return match.groups()


def _unexpected(example: str, lines: deque[str]) -> LogError:
    line = f'"{shorten(lines[0])}"' if lines else "the end of the text"
    return _bad(f'expected a line such as "{example}", found {line}')


def is_beginning(state: State) -> bool:
    """Return whether a state is the beginning of an ordinary game with five colours."""
    size = Rules().hand_size(len(state.hands))
    return (
        (state.lives, state.tokens, state.stacks, state.discards) == (_LIVES, _TOKENS, (0,) * 5, ())
        and state.deck == _CARDS - size * len(state.hands)
        and all(len(hand) == size and all(line.endswith(_NO_CLUES) for line in hand) for hand in state.hands)
    )


def card_of(line: str) -> int:
    """Return the card at the beginning of a line as `colour * 5 + rank`, both from 0.

    >>> card_of("Y3 || XX|RYGWB12345")
    7
    """
    return _COLOURS.index(line[0]) * 5 + int(line[1]) - 1


def move_text(text: str) -> str | None:
    """Return a move in normal form, without parentheses; None if the text is not a move.

    >>> move_text("(Reveal player +1 color R)"), move_text("play 0"), move_text("Play")
    ('Reveal player +1 color R', 'Play 0', None)
    """
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    if not _MOVE.fullmatch(text):
        return None
    head, _, value = text.rpartition(" ")
    return f"{head.capitalize()} {value.upper()}"


def number_of(move: str, players: int) -> int:
    """Return the number of a move (see `hanalyze.logs.formats.hle`) for hands of the usual size.

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


def next_state(state: State, move: str, drawn: Sequence[str] = ()) -> State | None:
    """Return the state after a move, None if the move is illegal.

    `drawn` contains the line of the card drawn, if any. A discard is illegal at full tokens; a clue is
    illegal without a token or if it touches no card.
    """
    kind, *rest = move.split(" ")
    lives, tokens, stacks, hands, seat, deck, discards = state
    players = len(hands)
    if kind == "Reveal":
        ahead, value = int(rest[1]), rest[3]
        target = (seat + ahead) % players
        if ahead >= players or tokens == 0 or not any(value in line[:2] for line in hands[target]):
            return None
        tokens -= 1
        hand = tuple(_after_clue(line, value) for line in hands[target])
    else:
        target, place = seat, int(rest[0])
        if place >= len(hands[seat]) or (kind == "Discard" and tokens == _TOKENS):
            return None
        line = hands[seat][place]
        hand = (*hands[seat][:place], *hands[seat][place + 1 :], *drawn)
        deck = max(deck - 1, 0)
        colour, rank = divmod(card_of(line), 5)
        if kind == "Play" and stacks[colour] == rank:
            stacks = (*stacks[:colour], rank + 1, *stacks[colour + 1 :])
            tokens = min(tokens + (rank == len(_RANKS) - 1), _TOKENS)
        else:
            discards = (*discards, line[:2])
            lives, tokens = (lives - 1, tokens) if kind == "Play" else (lives, tokens + 1)
    hands = (*hands[:target], hand, *hands[target + 1 :])
    return State(lives, tokens, stacks, hands, (seat + 1) % players, deck, discards)


def moves_between(before: State, after: State) -> list[str]:
    """Return the moves that lead from a state to the next state; moves of older cards come first.

    Several moves can lead to the same state: plays or discards of equal adjacent cards, and clues that tell
    nothing new.
    """
    if after.tokens < before.tokens:
        return [move for move in _clues(len(before.hands)) if next_state(before, move) == after]
    drawn = after.hands[before.mover][-1:] if before.deck else ()
    if drawn and not drawn[0].endswith(_NO_CLUES):
        return []
    moves = [f"{kind} {place}" for kind in ("Play", "Discard") for place in range(len(_RANKS))]
    return [move for move in moves if next_state(before, move, drawn) == after]


@cache
def _clues(players: int) -> list[str]:
    return [
        f"Reveal player +{ahead} {'color' if value in _COLOURS else 'rank'} {value}"
        for ahead in range(1, players)
        for value in _COLOURS + _RANKS
    ]


@lru_cache(2**14)
def _after_clue(line: str, value: str) -> str:
    """Return the line of a card after a clue of colour or rank `value` to its hand."""
    clued, allowed = line[6:8], line[9:]
    if value not in line[:2]:
        return f"{line[:9]}{allowed.replace(value, '')}"
    of_kind = _COLOURS if value in _COLOURS else _RANKS
    clued = value + clued[1] if of_kind is _COLOURS else clued[0] + value
    return f"{line[:6]}{clued}|{''.join(one for one in allowed if one not in of_kind or one == value)}"
