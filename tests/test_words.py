"""One rounding: what Python words is what DuckDB's round() and JavaScript's toFixed() make of it."""

from __future__ import annotations

import random
import re

import pytest

from hanalyze.agents import simulate
from hanalyze.replaying import replay
from hanalyze.report.game.game_mistakes import judge_game
from hanalyze.report.game.game_view import game_view
from hanalyze.store import connect
from hanalyze.words import percent, rounded
from tests.report.figure_scripts import run

CHANCES = ("playable", "critical", "trash")


def test_per_cent_is_as_in_sql() -> None:
    choice = random.Random(1)
    shares = [number / of for of in (8, 40, 200, 1000) for number in range(of + 1)]
    shares += [choice.random() for _ in range(1000)]
    with connect() as db:
        run = db.connection.execute
        for share in shares:
            [(text,)] = run("SELECT round(100 * ?::DOUBLE)::INTEGER::VARCHAR", [share]).fetchall()
            assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    # By the definition of toFixed: of two numbers equally near the larger, and the sign apart.
    [
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (0.125, 2, "0.13"),
        (1.005, 2, "1.00"),  # the number is a little less than it looks
        (12.25, 1, "12.3"),
        (1234567.0, 1, "1234567.0"),
        (1e-9, 2, "0.00"),
    ],
)
def test_halves_go_up(value: float, decimals: int, text: str) -> None:
    assert rounded(value, decimals) == text
    assert run("shown", value, decimals) == text.replace("-", "\N{MINUS SIGN}")


def test_what_is_no_number_is_said() -> None:
    assert (rounded(float("nan")), rounded(float("inf"), 1)) == ("nan", "inf")


@pytest.mark.heavy
def test_sentences_and_evidence_of_a_page_agree() -> None:
    """Among these games are chances that lie between two whole per cents, 1 of 8 and the like."""
    between = 0
    with connect() as db:
        for record in simulate("random", players=2, games=4, seed=3):
            played = replay(record)
            said = game_view(played)["decisions"]
            for row in judge_game(played)[0]:
                if (row["possibilities"] or 0) < 2:
                    continue
                chances = [row[f"p_{name}"] for name in CHANCES]
                between += any(100 * chance % 1 == 0.5 for chance in chances)
                words = db.connection.execute(
                    "SELECT " + ", ".join(["round(100 * ?::DOUBLE)::INTEGER || '%'"] * 3), chances
                ).fetchone()
                found = re.findall(r"(\d+%) (?:playable|critical|trash)", said[row["turn"]][0])
                assert tuple(found) == words
    assert between
