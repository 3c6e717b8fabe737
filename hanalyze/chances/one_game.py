"""Chances of the cards in one game, turn by turn: card-counting odds, state model, act layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hanalyze.chances.model import ACT_TARGETS, Model, chances_of, load_model, read_hand_cards, rows_like
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay
from hanalyze.tables.chances import ACTS, PLACES, TARGETS


class Odds(NamedTuple):
    """Chances that a card was critical, playable and trash; None if not predicted."""

    critical: float | None = None
    playable: float | None = None
    trash: float | None = None


@dataclass(frozen=True, slots=True)
class CardChances:
    """A card of the player to move, with its chances before the action.

    `order` is the index of the card in the deck, `slot` 1 means the newest card, and `place` is one of
    `PLACES`. `by_cards` are card-counting odds. `by_model` are the chances by the state model; use these to
    compare moves. `by_act` are the chances by the act layer for the card that was played (`playable`) or
    discarded (`critical`, `trash`), otherwise None. `rows` is, for each target, the number of training cards
    in the same place whose chance is in the same tenth as `by_model`.
    """

    order: int
    slot: int
    place: str
    by_cards: Odds
    by_model: Odds
    by_act: Odds | None
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnChances:
    """A turn (from 0) with the seat to move and the cards of its hand, newest card first."""

    turn: int
    seat: int
    cards: tuple[CardChances, ...]


def game_chances(
    game: Replay | GameRecord, *, model: str | Model = "real", conventions: bool = True, level: int = 25
) -> list[TurnChances]:
    """Return the chances of a game: a `TurnChances` per action carried out by a player with cards.

    `model` is the name of a shipped model (`MODELS`) or a `Model`. Messages are ignored without `conventions`
    and in variants without defined conventions; otherwise they are read up to H-Group level `level`. Raises
    `UnknownName` for an unknown model, the errors of `hanalyze.engine.batch.deal_records`, and
    `HanalyzeError` (rule `bad_number`) for a level outside 1 to 25.

    >>> from hanalyze.game.actions import Action
    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(1, 0, 0)])
    >>> [turn] = game_chances(record)
    >>> chop = turn.cards[-1]
    >>> chop.place, round(chop.by_cards.critical, 2), chop.by_cards.trash, chop.by_model.trash
    ('chop', 0.11, 0.0, 0.0)
    """
    chosen = load_model(model) if isinstance(model, str) else model
    deals = [game.deal] if isinstance(game, Replay) else deal_records([game])
    rows = read_hand_cards(make_batch(deals), level=level, fast=False)
    columns = rows.columns
    if not len(rows.game):
        return []
    fit = chosen.fits["conventions" if conventions and columns["explained"][0] else "context"]
    state, act = chances_of(rows, fit)
    turns: dict[tuple[int, int], list[CardChances]] = {}
    for row, (turn, seat, order, slot, place) in enumerate(
        zip(*(columns[name].tolist() for name in ("turn", "seat", "order", "slot", "place")), strict=True)
    ):
        card = CardChances(
            order=order,
            slot=slot,
            place=PLACES[place],
            by_cards=Odds(*(float(columns[f"p_{target}"][row]) for target in TARGETS)),
            by_model=Odds(*map(float, state[row])),
            by_act=_act_odds(act[row].tolist()) if columns["act"][row] != ACTS.index("none") else None,
            rows=tuple(
                rows_like(fit, target, chance, PLACES[place])
                for target, chance in zip(TARGETS, state[row].tolist(), strict=True)
            ),
        )
        turns.setdefault((turn, seat), []).append(card)
    return [TurnChances(turn, seat, tuple(reversed(cards))) for (turn, seat), cards in turns.items()]


def _act_odds(chances: Sequence[float]) -> Odds:
    predicted = zip(ACT_TARGETS, chances, strict=True)
    return Odds(**{target: chance for (_, target), chance in predicted if not math.isnan(chance)})
