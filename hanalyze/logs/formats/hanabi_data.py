"""Logs of HanabiData: games between people and agents, one game per text file; the edition is `hanabi-data`.

The format, which docs/formats.md describes, can only be read. Sources: the data set of Eger, Martens & Alfaro
Córdoba (2017), An intentional AI for Hanabi, and the program that wrote the logs.
"""

from __future__ import annotations

import re
from typing import Final

from hanalyze.decks import deck as dealt
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.logs.formats.by_line import Hands
from hanalyze.logs.record import GameRecord
from hanalyze.text import shorten

TITLE: Final = "text logs of HanabiData: games between people and agents (Eger et al. 2017)"
_TREATMENT: Final = re.compile(r"Treatment: \('([^']{0,40})', (-?[0-9]{1,18})\)")
_CARD: Final = re.compile(r"\(([0-4]), ([1-5])\)")
_MOVE: Final = re.compile(r"MOVE: ([0-9]+) ([0-9]+)((?: (?:None|-?[0-9]+)){4})")
_SCORE: Final = re.compile(r"Score (-?[0-9]{1,4})")
_COLOUR, _RANK, _PLAY, _DISCARD = range(4)
_PLAYERS: Final = 2
_CARDS: Final = 50
_HAND: Final = 5


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with `head` is in this format."""
    return head.startswith((b"Treatment: ('", b"Old GID: "))


def parse(data: bytes) -> GameRecord:
    """Return the game of a log. Raises `LogError` with the line of the error.

    >>> parse(b"Treatment: ('full', 1)")
    Traceback (most recent call last):
    hanalyze.errors.LogError: the text ends before the cards of the deck
    """
    lines = data.decode("utf-8", "replace").splitlines()
    at = 1 if lines and lines[0].startswith("Old GID: ") else 0
    treatment = _TREATMENT.fullmatch(lines[at]) if at < len(lines) else None
    if treatment is None:
        raise _bad("the agent and the seed are missing", at)
    if at + 1 >= len(lines):
        raise LogError("the text ends before the cards of the deck", rule="truncated", line=at + 2)
    agent, seed = treatment.groups()
    _check_deck(lines[at + 1], seed, at + 1)
    hands = Hands(_PLAYERS, _CARDS)
    actions: list[Action] = []
    score = None
    for number, line in enumerate(lines[at + 2 :], at + 2):
        if line.startswith("MOVE: "):
            if score is not None:
                raise _bad("a move after the score", number)
            actions.append(_action(line, hands, len(actions), number))
        elif match := _SCORE.match(line):
            score = int(match[1])
    if score is None:
        raise LogError("the text ends before the score", rule="truncated", line=len(lines))
    return GameRecord(
        players=(agent, "You"),
        actions=actions,
        seed=seed,
        shuffle="hanabi-data",
        edition="hanabi-data",
        score=score,
        source="HanabiData",
    )


def _check_deck(line: str, seed: str, number: int) -> None:
    """Raise `LogError` if the seed is invalid, or leaves other cards after the deal than those in `line`."""
    cards = [Card(int(suit), int(rank)) for suit, rank in _CARD.findall(line)]
    try:
        deck = dealt(seed, shuffle="hanabi-data")
    except HanalyzeError as error:
        raise _bad(str(error), number - 1) from None
    if cards != deck[_PLAYERS * _HAND :]:
        raise _bad(f"these are not the cards that seed {seed} leaves in the deck", number)


def _action(line: str, hands: Hands, turn: int, number: int) -> Action:
    match = _MOVE.fullmatch(line)
    if match is None:
        raise _bad(f'"{shorten(line)}" is not a move', number)
    player, kind = int(match[1][:3]), int(match[2][:3])
    place, clued, suit, rank = (None if word == "None" else int(word[:9]) for word in match[3].split())
    if player != turn % _PLAYERS:
        raise _bad(f"player {player} moves, but it is the other player's turn", number)
    if kind in (_PLAY, _DISCARD):
        try:
            order = hands.take(player, -1 if place is None else place)
        except IndexError:
            raise _bad(f"there is no card at place {place} of the hand", number) from None
        return Action(int(ActionKind.PLAY if kind == _PLAY else ActionKind.DISCARD), order, 0)
    value = suit if kind == _COLOUR else rank if kind == _RANK else None
    if value is None or clued is None:
        raise _bad(f'"{shorten(line)}" is not a complete move', number)
    return Action(int(ActionKind.COLOUR_CLUE if kind == _COLOUR else ActionKind.RANK_CLUE), clued, value)


def _bad(what: str, number: int) -> LogError:
    return LogError(what, rule="bad_hanabi_data", line=number + 1)
