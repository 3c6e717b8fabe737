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
    """Chances that a card was critical, playable, trash; None if not judged."""

    critical: float | None
    playable: float | None
    trash: float | None


@dataclass(frozen=True, slots=True)
class CardChances:
    """A card in the hand to move, before the action.

    `place` is one of `PLACES`. `by_cards`: card-counting odds. `by_model`: by the state model; compare moves
    by these. `by_act`: by the act layer, for the card that was played (`playable`) or discarded (`critical`,
    `trash`), else None. `rows`: by target, the fitted cards in such a place with `by_model` in the same
    tenth.
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
    """A turn, from 0: the seat to move, and the cards of its hand, slot 1 (the newest) first."""

    turn: int
    seat: int
    cards: tuple[CardChances, ...]


def game_chances(
    game: Replay | GameRecord, *, model: str | Model = "real", conventions: bool = True, level: int = 25
) -> list[TurnChances]:
    """Return the chances of a game, a `TurnChances` per action that was carried out.

    `model` is a shipped model's name (`MODELS`) or a `Model`. Without `conventions`, and in variants in which
    they are not defined, nothing that messages say is used; `level` is the H-Group's level up to which they
    are read. Raises `UnknownName` for a model that does not exist, `LogError` for a record that cannot be
    dealt.

    >>> from hanalyze.game.actions import Action
    >>> from hanalyze.logs import GameRecord
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
    turns: dict[int, list[CardChances]] = {}
    seats: dict[int, int] = {}
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
        seats[turn] = seat
        turns.setdefault(turn, []).append(card)
    return [TurnChances(turn, seats[turn], tuple(reversed(cards))) for turn, cards in turns.items()]


def _act_odds(chances: Sequence[float]) -> Odds:
    odds = Odds(None, None, None)
    for (_, target), chance in zip(ACT_TARGETS, chances, strict=True):
        if not math.isnan(chance):
            odds = odds._replace(**{target: chance})
    return odds
