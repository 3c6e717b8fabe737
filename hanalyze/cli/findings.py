"""Findings of conventions and detectors in one game: their rows, and their words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from hanalyze.conventions.run import read_records
from hanalyze.detectors.detecting import MAX_CARDS_NAMED, Detections
from hanalyze.frames import to_rows
from hanalyze.game.cards import card_name
from hanalyze.game.variants import variant
from hanalyze.replaying import Replay
from hanalyze.store.records import game_key
from hanalyze.tables.conventions import CONVENTION_OUTCOMES, CONVENTIONS
from hanalyze.text import printable, shorten
from hanalyze.words import meaning_words, outcome_words, reason_words

Row = dict[str, Any]


def game_findings(replay: Replay, level: int) -> list[Row]:
    """Return the meanings of the actions of a game, as `hanalyze.store.listings.finding_rows` does."""
    record = replay.record
    key = game_key(record)
    output = read_records([record], level=level, fast=False)
    game = {
        "game": str(record.id if record.id is not None else key if record.seed is None else record.seed),
        "letters": "".join(replay.variant.letters),
        "variant": replay.variant.name,
        "players": list(record.players),
        "deck": [{name: card[name] for name in ("suit", "rank", "holder")} for card in replay.card_rows()],
    }
    turns = [
        {
            "action": row["action"],
            "clued": row["receiver"],
            **{name: row[name] for name in ("clue_value", "order", "slot", "result")},
        }
        for row in replay.facts()
    ]
    meanings = to_rows(CONVENTIONS, output.findings.values())
    outcomes = to_rows(CONVENTION_OUTCOMES, output.outcomes.values())
    return [
        {"game_id": key, **meaning, **outcome, **turns[meaning["turn"]], **game}
        for meaning, outcome in zip(meanings, outcomes, strict=True)
    ]


def detector_findings(detections: Detections) -> tuple[list[Row], list[tuple[str, str, int, int]]]:
    """Return the findings of detectors as rows of `detector_findings`, and where detectors failed.

    Failures are tuples: detector, message, how often, the first turn.
    """
    rows = [
        {
            **row._asdict(),
            "cards": [*row.cards, *[-1] * (MAX_CARDS_NAMED - len(row.cards))],
            "seats": sum(1 << seat for seat in row.seats),
            "reasons": json.dumps(row.reasons),
        }
        for row in detections
        if not row.opportunity
    ]
    failures: dict[tuple[str, str], list[int]] = {}
    for problem in detections.problems:
        failures.setdefault((problem.detector, problem.message), []).append(problem.turn)
    problems = [(*key, len(turns), min(turns)) for key, turns in sorted(failures.items())]
    return sorted(rows, key=lambda row: (row["turn"], row["detector"], row["number"])), problems


def finding_words(row: Row) -> str:
    """Return a finding of the built-in conventions in words."""
    players = [shorten(player) for player in row["players"]]
    parts = [meaning_words(row, partial(_card, row)), reason_words(row), outcome_words(row)]
    what = "; ".join(filter(None, parts))
    return printable(f"turn {row['turn'] + 1}, {players[row['seat']]} {_action(row, players)}: {what}")


def detection_words(row: Row, game: Row) -> str:
    """Return a finding of a detector in words; `game` is any finding of its game."""
    cards = ", ".join(_card(game, order) for order in row["cards"] if order >= 0)
    labels = [row["detector"], *([row["label"]] if row["label"] != row["detector"] else [])]
    what = ": ".join([*map(shorten, labels), *([cards] if cards else [])])
    outcome = outcome_words({**row, "deferrals": 0, "strikes": 0})
    player = shorten(game["players"][row["seat"]])
    return f"turn {row['turn'] + 1}, {player}, {what}" + (f"; {outcome}" if outcome else "")


def _card(game: Row, order: int) -> str:
    """Return a card, and the player who held it."""
    card = game["deck"][order]
    name = card_name((card["suit"], card["rank"]), game["letters"])
    return name if card["holder"] is None else f"{shorten(game['players'][card['holder']])}'s {name}"


def _action(row: Row, players: Sequence[str]) -> str:
    if row["result"] == "clued":
        value = row["clue_value"]
        is_colour = row["action"] == "colour_clue"
        clue = variant(row["variant"]).clue_colours[value] if is_colour else f"rank {value}"
        return f"clues {players[row['clued']]} {clue}"
    card = row["deck"][row["order"]]
    verb = {"played": "plays", "misplayed": "misplays", "discarded": "discards"}[row["result"]]
    return f"{verb} {card_name((card['suit'], card['rank']), row['letters'])}"
