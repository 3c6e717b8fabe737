"""Lists of larger databases come from few games, and are the same from the turns and from stored sums."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from hanalyze import Action, ActionKind, simulate, sum_up
from hanalyze.report.dashboard import behind
from hanalyze.report.dashboard.cube import Cube
from hanalyze.store import Database, connect
from tests.report.test_sums import PEOPLE, RECORDS

pytestmark = pytest.mark.heavy

NAMES = ("scores", "points_short", "kinds", "misplays", "clues", "points", "struck", "efficiency")


def listed(db: Database) -> dict[str, Any]:
    with Cube(db) as cube:
        return behind.Behind(cube, NAMES).data({}, {})


def entries(data: dict[str, Any], name: str, key: int) -> list[tuple[str, int | None, float]]:
    """Return title, turn and value of the entries of a number."""
    ids, values = data["lists"][name][key]
    games, turns = data["games"], data["turns"]
    return [
        (games[-1 - one][4], None, value) if one < 0 else (games[turns[0][one]][4], turns[1][one], value)
        for one, value in zip(ids, values or [1.0] * len(ids), strict=True)
    ]


def test_lists_of_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    with connect() as db:
        db.add(RECORDS, jobs=1)
        whole = listed(db)
        assert whole["whole"]
        assert len(whole["games"]) == len(RECORDS)
        for name, value in (("GAMES", 10), ("FEW", 3), ("FEW_OF_PLAYER", 1)):
            monkeypatch.setattr(behind, name, value)
        few = listed(db)
        worst = db.sql("SELECT seed FROM games ORDER BY full_score - score DESC, game_id LIMIT 3")["seed"]
        assert not few["whole"]
        titles = [game[4] for game in few["games"]]
        assert 3 < len(titles) <= 3 + len(PEOPLE)
        assert all(title.startswith(f"Game {seed}") for title, seed in zip(titles, worst, strict=False))
        found = 0
        for name in NAMES:
            for key in range(len(whole["lists"][name])):
                some = entries(few, name, key)
                assert some == [one for one in entries(whole, name, key) if one[0] in titles], (name, key)
                found += len(some)
        assert found > 100
        sum_up(db)
        assert listed(db) == few


def test_points_lost_by_ending_the_game_are_in_no_list() -> None:
    [game] = simulate("cautious", players=2, seed=1)
    ended = replace(game, actions=[*game.actions[:20], Action(ActionKind.END_GAME, 0, 4)], score=None)
    with connect() as db:
        db.add([ended], jobs=1)
        db.solve(nodes=2000, jobs=1)
        assert db.sql("SELECT count(*) FROM losses WHERE turn = 20").item() == 1
        with Cube(db) as cube:
            data = behind.Behind(cube, ("lost_known",)).data({}, {})
    assert 20 not in data["turns"][1]
