"""A replay or a position as plain values, for JSON.

In: a `Replay`. Out: one object a game, with the rows of its turns as `hanalyze.tables.TURNS` describes them,
or with a position in their place.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from hanalyze.cli.summary import edition_name
from hanalyze.game.actions import ActionKind

if TYPE_CHECKING:
    from hanalyze.position import ClueMark, Position
    from hanalyze.replaying import Replay


def game_json(replay: Replay, edition: str | None) -> dict[str, Any]:
    """Return what is said about a game as a whole; `edition` is the one given on the command line."""
    return {
        "game": replay.record.name,
        "players": replay.record.players,
        "variant": replay.variant.name,
        "edition": edition_name(replay, edition),
        "seed": replay.record.seed,
        "score": replay.score,
        "max_score": replay.max_score,
        "end_condition": replay.end_condition,
        "rating": replay.rating,
        "defects": [
            {
                "rule": defect.rule.label,
                "turn": defect.turn,
                "seat": defect.seat,
                "found": defect.found,
            }
            for defect in replay.defects
        ],
    }


def position_json(position: Position, hidden: Collection[int]) -> dict[str, Any]:
    """Return a position; cards in the `hidden` seats have null for suit and rank."""
    return {
        "turn": position.turn,
        "seat": position.seat,
        "hands": [
            [
                {
                    "order": held.order,
                    "suit": None if seat in hidden else held.card.suit,
                    "rank": None if seat in hidden else held.card.rank,
                    "clues": [_mark_json(mark) for mark in held.clues],
                }
                for held in hand
            ]
            for seat, hand in enumerate(position.hands)
        ],
        "stacks": position.stacks,
        "discards": position.discards,
        "clue_tokens": position.clue_tokens,
        "strikes": position.strikes,
        "deck": position.deck,
        "score": position.score,
        "max_score": position.max_score,
        "pace": position.pace,
        "end_condition": position.end_condition,
    }


def _mark_json(mark: ClueMark) -> dict[str, Any]:
    return {
        "turn": mark.turn,
        "giver": mark.giver,
        "kind": ActionKind(mark.kind).name.lower(),
        "value": mark.value,
        "touched": mark.touched,
    }
