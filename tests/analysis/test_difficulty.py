"""How much of the variance of scores deals explain: planted shares, a slow twin, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest

import hanalyze as hz
from hanalyze.analysis import deal_difficulty
from hanalyze.analysis.difficulty import _deck_features, _explained
from hanalyze.engine.batch import deal_records
from hanalyze.errors import UnknownName
from hanalyze.solver.deals import hardness
from hanalyze.solver.search_plan import Budget

pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    ("weight", "share", "comment"),
    [
        (1.0, 0.5, "as much by the feature as by chance"),
        (0.5, 0.2, "a quarter of the variance of chance"),
        (0.0, 0.0, "nothing"),
    ],
)
def test_a_planted_share_is_found(weight: float, share: float, comment: str) -> None:
    random = np.random.default_rng(5)
    deals = np.repeat(np.arange(1000), 2)
    feature = random.normal(size=1000)[deals]
    groups = deals % 2
    # The mean of a group is not what deals explain.
    score = 10.0 * groups + weight * feature + random.normal(size=2000)
    found, low, high = _explained(feature[:, None], score, deals, groups, 0.95)
    assert low <= share <= high, comment
    assert found == pytest.approx(share, abs=0.05)
    assert high - low < 0.12


def test_what_the_deck_tells_by_hand() -> None:
    [record] = hz.simulate("random", games=1, players=2, seed=4)
    [deal] = deal_records([record])
    [features] = _deck_features([deal])
    cards = [(card.suit, card.rank) for card in record.deck]
    for rank in range(1, 6):
        places = [[i for i, one in enumerate(cards) if one == (suit, rank)] for suit in range(5)]
        assert features[rank - 1] == pytest.approx(sum(each[0] for each in places) / 5 / 50)
        assert features[rank + 4] == pytest.approx(sum(each[-1] for each in places) / 5 / 50)


def test_a_deal_that_is_won_at_once_is_straight() -> None:
    deals = deal_records(list(hz.simulate("random", games=6, players=3, seed=1)))
    for one in hardness(deals, 3, Budget(2_000), False):
        assert one.low <= one.high <= one.full == 25
        assert not one.straight or one.low == 25
        assert 0 <= one.lucky <= 3
        assert one.nodes >= 0


def test_too_few_games_tell_nothing() -> None:
    with hz.connect() as db:
        db.add(hz.simulate("random", games=49, players=2, seed=1))
        frame = deal_difficulty(db, runs=0)
        assert frame["features"].to_list() == ["deck", "search", "both"]
        assert frame["games"].to_list() == [0, 0, 0]
        assert frame["explained"].null_count() == 3
        with pytest.raises(UnknownName, match="players"):
            deal_difficulty(db, "players")
