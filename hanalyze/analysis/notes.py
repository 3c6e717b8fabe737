"""Players' notes held against the truth and against what they could know.

In: games with notes, as logs have them: a database keeps no notes. Out: a frame, one row per player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hanalyze.analysis.columns import FRAMES, select_columns
from hanalyze.analysis.note_words import said_by
from hanalyze.errors import check_kind
from hanalyze.game.cards import identity
from hanalyze.lazy import polars as pl
from hanalyze.replaying import Replay, replay_many

if TYPE_CHECKING:
    from hanalyze.logs.record import GameRecord


def note_accuracy(games: Iterable[GameRecord | Replay]) -> pl.DataFrame:
    """Return how true players' notes on their own cards were, one row per player.

    A log has each note as it stood at the end. What it says of the card, in the notations of
    `hanalyze.analysis.note_words`, is held against what the card was, and against what logic alone still
    allowed its holder on the last turn on which the card was in the hand: clues, visible cards, and the hand
    as a whole, exactly. A note on a card that had left may have been written later; logs do not say when.
    Notes that are not understood are counted and nothing else. Columns: those of `FRAMES`.

    Records that cannot be dealt raise `LogError`, and what is no games `HanalyzeError` (rule `usage`): a
    database, for instance, which has no notes.

    >>> from hanalyze.logs import GameRecord
    >>> from hanalyze.game.actions import Action
    >>> record = GameRecord(
    ...     players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)], notes=(("r1 | b2",), ("r5?",))
    ... )
    >>> note_accuracy([record]).select("player", "notes", "identities", "on_others").rows()
    [('Alice', 1, 1, 0), ('Bob', 0, 0, 1)]
    """
    check_kind(games, Iterable, "give logs, as in note_accuracy(read(path)); databases have no notes")
    sums: dict[str, Counter[str]] = {}
    for game in games:
        one = game if isinstance(game, Replay) else next(iter(replay_many([game])))
        if any(map(any, one.record.notes)):
            for player, counted in _counts(one):
                sums.setdefault(player, Counter()).update(counted)
    rows = [{"player": player, **sums[player]} for player in sorted(sums)]
    names = [column.name for column in FRAMES["note_accuracy"] if column.name != "player"]
    frame = pl.DataFrame(rows, {"player": pl.String} | dict.fromkeys(names, pl.Int64))
    return select_columns(frame.with_columns(pl.col(*names).fill_null(0)), "note_accuracy")


def _counts(game: Replay) -> list[tuple[str, Counter[str]]]:
    """Return by player who wrote a note what became of the notes of one game."""
    holders, last = _last_held(game)
    found = []
    for seat, player in enumerate(game.record.players):
        texts = game.record.notes[seat] if seat < len(game.record.notes) else ()
        counted: Counter[str] = Counter()
        for order, text in enumerate(texts):
            if not text.strip():
                continue
            if holders.get(order) != seat:
                counted["on_others"] += 1
                continue
            counted["notes"] += 1
            _judge(game, text, order, last[order], counted)
        if counted:
            counted["games"] = 1
            found.append((player, counted))
    return found


def _last_held(game: Replay) -> tuple[dict[int, int], dict[int, int]]:
    """Return by order who held a card, and what was possible on the last turn on which it was held."""
    holders: dict[int, int] = {}
    last: dict[int, int] = {}
    for position in game:
        for seat, hand in enumerate(position.hands):
            for card, possible in zip(hand, position.possible[seat], strict=True):
                holders[card.order] = seat
                last[card.order] = sum(1 << identity(*one) for one in possible)
    return holders, last


def _judge(game: Replay, text: str, order: int, possible: int, counted: Counter[str]) -> None:
    """Count what a note is: a mark, not understood, or how true it is."""
    said = said_by(text, game.variant)
    if not said.identities:
        counted["marks" if said.understood else "not_understood"] += 1
        return
    truth = 1 << identity(*game.deck[order])
    true = bool(said.identities & truth)
    counted["identities"] += 1
    counted["right" if said.identities == truth else "open" if true else "wrong"] += 1
    counted["known"] += possible == truth
    # What logic had ruled out says nothing more than it.
    narrower = said.identities & possible not in (0, possible)
    counted["beyond"] += narrower
    counted["beyond_right"] += narrower and true
    counted["ruled_out"] += not said.identities & possible
