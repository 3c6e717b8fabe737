"""With a player chosen, figures about decisions count that player's alone, others all games of the player."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hanalyze.report.dashboard.counts import counts
from hanalyze.report.dashboard.cube import OTHERS, Cube
from hanalyze.report.dashboard.figures import draw, figure
from hanalyze.report.dashboard.lists import listed
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store import Database, connect
from hanalyze.store.definitions import definitions
from tests.report.figure_scripts import sums_of
from tests.report.test_sums import PEOPLE, RECORDS

pytest.importorskip("plotly")
pytestmark = pytest.mark.heavy

COUNTS = counts(definitions())
SAMPLE = Path(__file__).parents[2] / "sample_logs" / "game.json"

Sums = dict[tuple[str, str], tuple[float, ...]]
"""By panel and label: n, x, y, xx, xy, yy."""


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    with connect() as made:
        made.add(RECORDS, jobs=1)
        made.read_conventions(jobs=1)
        made.solve(game_nodes=500, jobs=1)
        yield made


@pytest.fixture(scope="module")
def cube(db: Database) -> Iterator[Cube]:
    with Cube(db) as made:
        yield made


Ask = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask(db: Database) -> Ask:
    """Return a function for the rows of a query, asked once."""
    return cache(lambda query: db.sql(query).to_dicts())


def by_hand(db: Database, ask: Ask, name: str, people: set[str] | None) -> Sums:
    """Return the sums over the players in games who are among some people; None: over games."""
    one = COUNTS[name]
    seats = {(game, seat): player for game, seat, player in db.seats().iter_rows()}
    parties: dict[int, set[str]] = defaultdict(set)
    for (game, _), player in seats.items():
        parties[game].add(player)

    def places(row: dict[str, Any]) -> list[Any]:
        """Return whose a row is: a game's, or players' in it."""
        game = row["game_id"]
        if people is None:
            return [game]
        party = {seats[game, row["seat"]]} if "seat" in row else parties[game]
        return [(game, player) for player in party & people]

    y: dict[str, dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    x: dict[tuple[str, ...], dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    for row in ask(one.own if one.own and people is not None else one.of):
        for place in places(row):
            y[row["of"]][place] += float(row["y"])
            if not one.found:
                x[(row["of"],)][place] += float(row["x"])
    for row in ask(one.found) if one.found else ():
        for place in places(row):
            x[row["panel"], row["label"]][place] += float(row["x"])
    sums = {}
    for panel, label, of in one.keys or [(*of.split("|", 1), of) for of in y]:
        some, beside = x[(panel, label) if one.found else (of,)], y[of]
        sums[one.words.get(panel, panel), one.words.get(label, label)] = (
            float(len(beside)),
            sum(some.values()),
            sum(beside.values()),
            sum(value * value for value in some.values()),
            sum(value * beside.get(place, 0.0) for place, value in some.items()),
            sum(value * value for value in beside.values()),
        )
    return {key: values for key, values in sums.items() if values[2]}


def counted(cube: Cube, name: str, player: str | None) -> Sums:
    # Suits are labelled by letter and name; the rows have the letter.
    return {
        (one.panel, one.label[:1] if one.panel == "Suit" else one.label): (
            one.n,
            one.x,
            one.y,
            one.xx,
            one.xy,
            one.yy,
        )
        for one in sums_of(cube, name, cube.chosen({"player": player}))
        if one.y
    }


def same(one: Sums, other: Sums) -> bool:
    assert one.keys() == other.keys()
    return all(values == pytest.approx(other[key], rel=1e-5, abs=1e-4) for key, values in one.items())


@pytest.mark.parametrize("name", COUNTS)
def test_a_players_cell_has_the_players_own(db: Database, ask: Ask, cube: Cube, name: str) -> None:
    """A slow count of each query, seat by seat, in plain Python."""
    assert same(counted(cube, name, None), by_hand(db, ask, name, None))
    if not COUNTS[name].of_decisions:
        return
    shown = [counted(cube, name, player) for player in PEOPLE]
    assert all(same(one, by_hand(db, ask, name, {player})) for player, one in zip(PEOPLE, shown, strict=True))
    assert len({str(one) for one in shown}) > 1
    if not COUNTS[name].own:
        whole = counted(cube, name, None)
        for key, (_, x, *_) in whole.items():
            assert sum(one[key][1] for one in shown if key in one) == pytest.approx(x), key


@pytest.mark.parametrize(
    "name", ["scores", "points_short", "endings", "perfect", "points", "short", "winnable"]
)
def test_figures_about_games_count_all_games_of_the_player(db: Database, cube: Cube, name: str) -> None:
    assert not COUNTS[name].of_decisions
    for player in PEOPLE:
        with_player = db.seats().filter(player=player)["game_id"].unique()
        of = db.sql(COUNTS[name].of)
        games = of.filter(of["game_id"].is_in(with_player.implode()))["game_id"].n_unique()
        assert {one.n for one in sums_of(cube, name, cube.chosen({"player": player}))} == {games}


def test_players_who_share_a_cell_count_each_on_their_own(db: Database, ask: Ask) -> None:
    with Cube(db, players_most=2) as few:
        frequent = set(few.players) - {OTHERS}
        others = set(PEOPLE) - frequent
        assert len(others) == len(PEOPLE) - 2
        for name in ("kinds", "clues", "wasted_tokens", "lost_causes"):
            assert same(counted(few, name, OTHERS), by_hand(db, ask, name, others))


def test_a_game_worked_by_hand() -> None:
    """Alice left b5 (a point) and b3 (two) unsaved; Cathy and Bob each discarded at no pace later."""
    with connect() as db:
        db.ingest(SAMPLE)
        with Cube(db) as cube:
            lost = {
                player: {
                    one.label: one.x
                    for one in sums_of(cube, "costs", cube.chosen({"player": player}))
                    if one.panel.startswith("Points") and one.x
                }
                for player in ("Alice", "Bob", "Cathy")
            }
            costliest = QUESTIONS["costliest"]
            turns = {
                player: [row[0] + row[-1][-9:] for row in listed(cube, costliest, {"player": player})[1]]
                for player in ("Alice", "Bob", "Cathy")
            }
            score = [
                sums_of(cube, "points", cube.chosen({"player": player}))[0].x
                for player in ("Alice", "Bob", "Cathy")
            ]
    assert lost == {"Alice": {"knew": 3}, "Bob": {}, "Cathy": {}}
    minus = "\N{MINUS SIGN}"
    assert turns == {
        "Alice": [f"{minus}2, turn 22", f"{minus}1, turn 16"],
        "Bob": [f"{minus}1, turn 59"],
        "Cathy": [f"{minus}1, turn 57"],
    }
    assert score == [19, 19, 19]


def test_figures_say_what_they_count(db: Database, cube: Cube) -> None:
    scopes = {name: cube.scope(question) for name, question in QUESTIONS.items()}
    assert {name for name, scope in scopes.items() if scope == "games"} == {
        *("scores", "points_short", "endings", "perfect", "efficiency", "efficient", "winnable")
    }
    assert {name for name, scope in scopes.items() if not scope} == {
        *("players", "partners", "player_rates", "convention_worth", "lost_by")
    }
    for name, filters, said in (
        ("wasted_tokens", {"player": "Ada"}, "Only decisions of Ada are counted."),
        ("costliest", {"player": "Ada"}, "Only decisions of Ada are counted."),
        ("scores", {"player": "Ada"}, "All games with Ada are counted."),
        ("wasted_tokens", {"player": "<b>Farah</b>"}, "Only decisions of <b>Farah</b> are counted."),
        ("wasted_tokens", {"players": 3}, ""),
        ("players", {"player": "Ada"}, ""),
    ):
        title = draw(cube, QUESTIONS[name], filters).layout.title.text.replace("<br>", " ")
        assert html.escape(said) in title
        assert ("counted." in title) == bool(said)


@pytest.mark.heavy
def test_calibration_counts_all_games_of_the_player(db: Database) -> None:
    title = figure("calibration", db, {"player": "Ada"}).layout.title.text.replace("<br>", " ")
    assert "All games with Ada are counted." in title
