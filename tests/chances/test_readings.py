"""Chances of readings: what they are made of, and that they came true in games they were not fitted on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hanalyze.chances.inference_chances import TERMS, conditional_chances, load_reading_model, reading_chances
from hanalyze.conventions.game_reading import KINDS, OpenReading, follow_game
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card, identity
from hanalyze.logs import GameRecord
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from tests.report.laid import CALLED, laid
from tests.shared import golden
from tools.fit_readings import Choice, choices_of, fit_choices, fit_readings


def real_games() -> list[GameRecord]:
    return [
        GameRecord(
            players=tuple(line["game"]["players"]),
            deck=[Card(card["suitIndex"], card["rank"]) for card in line["game"]["deck"]],
            actions=[
                Action(one["type"], one["target"], one.get("value", 0)) for one in line["game"]["actions"]
            ],
        )
        for line in golden("real-3p")
    ]


def test_the_model_says_what_it_was_fitted_on() -> None:
    model = load_reading_model()
    assert model.conventions_version == CONVENTIONS_VERSION, "fit the chances of readings again"
    assert set(model.weights) == set(TERMS)
    assert sum(model.rows) >= 2 * model.clues
    assert len(model.rows) == len(model.said) == len(model.was) == 10


def test_what_was_said_of_other_games_came_true() -> None:
    model = load_reading_model()
    for rows, said, was in zip(model.rows, model.said, model.was, strict=True):
        if said is None or was is None:
            assert rows == 0
            continue
        error = math.sqrt(said * (1 - said) / rows)
        assert abs(said - was) <= max(0.03, 2 * error), (said, was, rows)


def test_chances_of_a_clue_by_hand() -> None:
    weights = load_reading_model().weights
    chances = reading_chances([OpenReading(3, 1, "now"), OpenReading(11, 2, "called")])
    odds = 2 ** weights["copies"] * math.exp(weights["called"])
    assert chances[11][0] / chances[3][0] == pytest.approx(odds, rel=1e-9)
    assert sum(chance for chance, _ in chances.values()) == pytest.approx(1.0)
    # As many copies and the same reason: nothing tells them apart.
    alike = reading_chances([OpenReading(3, 2, "save"), OpenReading(4, 2, "save")])
    assert [chance for chance, _ in alike.values()] == [0.5, 0.5]
    assert reading_chances([OpenReading(3, 1, "now")]) == reading_chances([]) == {}


def test_the_readings_of_a_finesse_and_of_a_plain_play() -> None:
    # Red is at 1. C is clued red: r2 can be played now, r3 once B has played the r2 that C sees there.
    record, at = laid(*CALLED, "A clue C r !; B play r2; C play r3")
    told = {one.seat: one for one in follow_game(record).messages[at]}
    [focus] = [one for one in told.values() if one.open]
    kinds = {one.identity: one.kind for one in focus.open}
    assert kinds[identity(0, 2)] == "now"
    assert kinds[identity(0, 3)] == "called"
    assert set(kinds.values()) <= set(KINDS)
    assert sum(1 << one for one in kinds) == focus.identities
    chances = reading_chances(focus.open)
    assert chances[identity(0, 3)][0] > chances[identity(0, 2)][0]


def test_weights_are_found_again() -> None:
    # Clues made by known weights, with enough of them to find these.
    draw = np.random.default_rng(5)
    weights = np.array([0.8, 0.3, -0.5, 1.0])
    made = []
    for game in range(3000):
        found = np.zeros((3, len(TERMS)))
        found[:, 0] = np.log(draw.integers(1, 4, 3))
        for line, kind in enumerate(draw.integers(0, len(TERMS), 3)):
            if kind:
                found[line, kind] = 1.0
        true = np.zeros(3, bool)
        true[draw.choice(3, p=conditional_chances(found, weights))] = True
        made.append(Choice(game, found, true))
    assert fit_choices(made) == pytest.approx(weights, abs=0.15)


@pytest.mark.heavy
def test_the_shipped_numbers_are_those_of_the_real_games() -> None:
    records = real_games()
    model, loss = fit_readings("", records, "")
    shipped = load_reading_model()
    assert (model.games, model.clues, model.rows) == (shipped.games, shipped.clues, shipped.rows)
    assert model.weights == pytest.approx(shipped.weights, abs=1e-3)
    # By the copies alone it is higher.
    choices = list(choices_of(records))
    alone = np.array([1.0, 0.0, 0.0, 0.0])
    copies = np.mean([-np.log(conditional_chances(one.traits, alone)[one.true][0]) for one in choices])
    assert loss < copies - 0.02
