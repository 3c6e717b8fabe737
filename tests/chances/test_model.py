"""Chances from models: what is certain stays so, files keep numbers, few games keep words vague."""

from __future__ import annotations

import functools
import json
from dataclasses import replace

import numpy as np
import pytest

from hanalyze.agents import simulate
from hanalyze.chances import game_chances
from hanalyze.chances.logistic import STRAIGHT
from hanalyze.chances.model import (
    ACT_TARGETS,
    MODELS,
    SETS,
    Fit,
    HandCards,
    chances_of,
    load_model,
    model_chances,
    read_hand_cards,
    tenth,
    uncertain,
)
from hanalyze.chances.model_choice import (
    FEWEST,
    adjusted,
    choose,
    closest_model,
    cross_fit,
    fit,
    folds,
    model_losses,
)
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.errors import UnknownName
from hanalyze.replaying import replay
from hanalyze.tables.chances import ACTS, PLACES, TARGETS
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from hanalyze.words import chance_in_words
from tests.building import game
from tools.fit_chances import model_text


@functools.cache
def rows(agent: str = "cautious", games: int = 30) -> HandCards:
    records = simulate(agent, players=3, games=games, seed=70, fast=False)
    return read_hand_cards(make_batch(deal_records(records)), fast=False)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("features", SETS)
def test_what_is_certain_stays_so(name: str, features: str) -> None:
    state, act = chances_of(rows(), load_model(name).fits[features])
    columns = rows().columns
    for number, target in enumerate(TARGETS):
        odds = columns[f"p_{target}"]
        certain = (odds == 0) | (odds == 1)
        assert certain.any()
        assert np.array_equal(state[certain, number], odds[certain])
        assert np.array_equal(odds[certain] == 1, columns[target][certain])
        free = state[~certain, number]
        assert ((free > 0) & (free < 1)).all()
    for number, (name_of_act, target) in enumerate(ACT_TARGETS):
        taken = columns["act"] == ACTS.index(name_of_act)
        assert np.isnan(act[~taken, number]).all()
        sure = taken & ~uncertain(columns[f"p_{target}"])
        assert np.array_equal(act[sure, number], columns[f"p_{target}"][sure])


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_what_it_was_fitted_on(name: str) -> None:
    model = load_model(name)
    assert model.name == name
    assert model.conventions_version == CONVENTIONS_VERSION, "fit the models again"
    assert model.games >= 100
    for features, one in model.fits.items():
        assert one.state.shape == (3, 3, len(SETS[features]))
        # A card is trash or critical or neither, but all three models saw cards that could be either.
        assert one.state_rows.sum() > 3 * one.act_rows.sum() > 0
    text = model_text(model)
    assert json.loads(text)["fits"].keys() == set(SETS)
    assert max(map(len, text.splitlines())) < 160


def test_an_unknown_model() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        load_model("nobody")


def test_a_state_model_by_hand() -> None:
    # Nothing but the odds counts, and they as they are: chances are odds again, but for the cut at 0.01.
    names = SETS["context"]
    state = np.zeros((len(PLACES), len(TARGETS), len(names)))
    for number, target in enumerate(TARGETS):
        state[:, number, names.index(f"odds_{target}")] = 1.0
    curve = np.tile(STRAIGHT, (3, 3, 1))
    none = np.zeros((3, 3, 10), np.int64)
    plain = Fit("context", state, curve, np.tile(STRAIGHT, (3, 3, 1)), none, none)
    columns = rows().columns
    found, act = chances_of(rows(), plain)
    inside = (columns["p_trash"] >= 0.01) & (columns["p_trash"] <= 0.99)
    assert found[inside, 2] == pytest.approx(columns["p_trash"][inside])
    # The act layer: one more in the logit multiplies the odds by e.
    shifted = plain.act.copy()
    shifted[0, :, 0] = 1.0
    played = inside & ~np.isnan(act[:, 0]) & uncertain(columns["p_playable"])
    before = act[played, 0]
    after = chances_of(rows(), replace(plain, act=shifted))[1][played, 0]
    assert after / (1 - after) == pytest.approx(np.e * before / (1 - before), rel=1e-6)


def test_a_fit_on_many_games_says_what_came() -> None:
    found = fit(rows(), "context")
    state, _ = chances_of(rows(), found)
    columns = rows().columns
    for p in range(len(PLACES)):
        for number, target in enumerate(TARGETS):
            asked = (columns["place"] == p) & uncertain(columns[f"p_{target}"])
            assert state[asked, number].mean() == pytest.approx(columns[target][asked].mean(), abs=0.01)
            assert found.state_rows[p, number].sum() == asked.sum()


def test_tied_to_another_fit_nothing_moves_without_rows() -> None:
    base = load_model("real").fits["conventions"]
    empty = rows().where(np.zeros(len(rows().game), bool))
    for same in (fit(empty, "conventions", base), adjusted(empty, base)):
        assert np.array_equal(same.state, base.state)
        assert np.array_equal(same.curve, base.curve)
        assert np.array_equal(same.act, base.act)


def test_folds_keep_games_together() -> None:
    game_ = np.repeat(np.arange(23), 7)
    part = folds(game_)
    assert all(len(set(part[game_ == one])) == 1 for one in range(23))
    sizes = np.bincount(part[::7])
    assert sizes.max() - sizes.min() <= 1


def test_cross_fitting_judges_each_card_by_other_games() -> None:
    seen: list[set[int]] = []

    def fitted(some: HandCards) -> Fit:
        seen.append(set(some.game.tolist()))
        return load_model("real").fits["context"]

    state, _ = cross_fit(rows(), fitted)
    assert np.array_equal(state, chances_of(rows(), load_model("real").fits["context"])[0])
    everything = set(rows().game.tolist())
    assert len(seen) == 5
    assert set.union(*(everything - some for some in seen)) == everything


def test_few_games_keep_the_default() -> None:
    few = rows().where(rows().game < FEWEST - 1)
    choice = choose(few, "conventions")
    assert (choice.method, choice.model) == ("shipped", "real")


def test_the_games_decide() -> None:
    # Cautious players give no messages: a model of people who do is worse than none.
    name, losses = closest_model(rows(), "conventions")
    assert name == "cautious"
    assert losses["cautious"] < losses["conventional"]
    raw = np.stack([rows().columns[f"p_{target}"] for target in TARGETS], axis=1)
    lost, count = model_losses(rows(), raw)
    assert losses["cautious"] < lost.sum() / count.sum()
    choice = choose(rows(), "conventions")
    # The shipped model was fitted on such players: 30 games are no reason to leave it.
    assert (choice.method, choice.model) == ("shipped", "cautious")
    assert set(choice.losses) == {*MODELS, "adjusted", "refitted"}


def test_unknown_players_are_fitted_anew() -> None:
    # Random players are like none of the shipped; 60 games are enough to see it.
    choice = choose(rows("random", 60), "context")
    assert choice.method != "shipped"
    assert choice.losses[choice.method] < choice.losses[choice.model]


def test_variants_without_conventions_are_judged_by_context() -> None:
    records = simulate("cautious", players=3, games=1, seed=3, variant="Up or Down (5 Suits)", fast=False)
    some = read_hand_cards(make_batch(deal_records(records)), fast=False)
    assert not some.columns["explained"].any()
    model = load_model("real")
    assert np.array_equal(model_chances(some, model)[0], chances_of(some, model.fits["context"])[0])


def test_tenths() -> None:
    assert tenth([0.0, 0.0999, 0.1, 0.3, 0.7, 1.0]).tolist() == [0, 0, 1, 3, 7, 9]


def test_the_chances_of_a_game() -> None:
    record = game("clue 1 1, play 5, discard 0", "g4 b3 p2 p2 p4 r1 y1 g2 b4 b5")
    turns = game_chances(record)
    assert [(one.turn, one.seat, len(one.cards)) for one in turns] == [(0, 0, 5), (1, 1, 5), (2, 0, 5)]
    assert [card.slot for card in turns[0].cards] == [1, 2, 3, 4, 5]
    played = turns[1].cards[-1]
    assert (played.order, played.place) == (5, "clued")
    # A clued 1 at the start: playable for sure, so nobody needs a model.
    assert played.by_cards.playable == played.by_model.playable == 1.0
    assert played.by_act is not None
    assert played.by_act == (None, 1.0, None)
    chop = turns[2].cards[-1]
    assert chop.place == "chop"
    assert chop.by_act is not None
    assert chop.by_act.playable is None
    assert chop.by_act.critical is not None
    assert chop.by_model.critical is not None
    assert chop.by_act.critical < chop.by_model.critical < 0.2
    assert chop.rows[0] > 100
    assert [card.by_act for card in turns[2].cards[:-1]] == [None] * 4
    assert turns == game_chances(replay(record))
    without = game_chances(record, conventions=False)
    assert without[2].cards[-1].by_cards == chop.by_cards
    assert without[2].cards[-1].by_model != chop.by_model


def test_a_game_without_actions_has_no_chances() -> None:
    assert game_chances(game("")) == []


@pytest.mark.parametrize(
    ("chance", "rows_", "words"),
    [
        (0.234, 100, "23%"),
        (0.234, 99, "about 20%"),
        (0.26, 5, "about 30%"),
        (0.02, 5, "below 10%"),
        (0.97, 5, "above 90%"),
        (0.002, 500, "below 1%"),
        (0.998, 500, "above 99%"),
        (0.0, 0, "0%"),
        (1.0, 0, "100%"),
    ],
)
def test_words_are_no_sharper_than_the_rows_allow(chance: float, rows_: int, words: str) -> None:
    assert chance_in_words(chance, rows_) == words
