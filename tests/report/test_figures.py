"""The figures of the dashboard: their numbers, counted another way."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from _quickjs import JSException
from msgspec.structs import replace
from scipy.special import stdtr

import hanalyze as hz
from hanalyze import analysis
from hanalyze.agents import simulate
from hanalyze.analysis.statistics.intervals import Sums, mean_of_sums
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.report.dashboard.charts import CHARTS
from hanalyze.report.dashboard.counts import LISTED, counts, query
from hanalyze.report.dashboard.cube import BIN, NAME_WIDTH, OTHERS, Cube
from hanalyze.report.dashboard.figures import COLOURS, draw, figure
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.report.dashboard.questions.discards import JUDGED
from hanalyze.report.dashboard.questions.question import ALL_KINDS, PHASES
from hanalyze.store import Database, connect
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import BLAMELESS, SEVERITIES
from hanalyze.text import apart
from tests.building import game
from tests.report.board import HOSTILE, make_database
from tests.report.figure_scripts import Row, Sum, estimate, filled, rows_of, run, sentence, sums_of
from tests.shared import shared

COUNTS = counts(definitions())
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3},
    {"variant": "Rainbow (5 Suits)"},
    {"player": "Ada"},
    {"players": 3, "variant": "No Variant", "player": "Bela"},
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def cube(db: Database) -> Iterator[Cube]:
    with Cube(db) as made:
        yield made


def chosen(db: Database, filters: dict[str, Any]) -> pl.DataFrame:
    """Return the games that filters leave, found without cells."""
    games = db.games()
    if "players" in filters:
        games = games.filter(pl.col("players") == filters["players"])
    if "variant" in filters:
        games = games.filter(pl.col("variant") == filters["variant"])
    if "player" in filters:
        of = db.seats().filter(pl.col("player") == filters["player"])
        games = games.filter(pl.col("game_id").is_in(of["game_id"].implode()))
    return games


def decided(db: Database, filters: dict[str, Any]) -> pl.DataFrame:
    """Return the seats whose decisions count: those of a player, or all, in the games that filters leave."""
    seats = db.seats().join(chosen(db, filters).select("game_id"), on="game_id")
    if "player" in filters:
        seats = seats.filter(pl.col("player") == filters["player"])
    return seats.select("game_id", "seat")


def by_label(cube: Cube, name: str, filters: dict[str, Any]) -> dict[tuple[str, str], Any]:
    return {(row.panel, row.label): row for row in rows_of(cube, QUESTIONS[name], filters)}


@pytest.mark.parametrize("filters", FILTERS)
def test_scores_and_endings(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    games = chosen(db, filters)
    rows = by_label(cube, "scores", filters)
    assert sum(row.x for row in rows.values()) == games.height == rows["", "0"].y
    perfect = games.filter(pl.col("score") >= pl.col("full_score")).height
    row = rows["", "0"]
    low, high = analysis.wilson(perfect, games.height)
    assert (row.x, row.value) == (perfect, pytest.approx(100 * perfect / games.height))
    assert (row.low, row.high) == (pytest.approx(100 * low), pytest.approx(100 * high))
    three = (pl.col("full_score") - pl.col("score") == 3) & (pl.col("end_condition") == "normal")
    assert rows["", "3"].x == games.filter(three).height
    struck = games.filter(pl.col("end_condition") == "strikeout").height
    assert rows["", "struck out"].x == struck == by_label(cube, "endings", filters)["", "Struck out"].x


@pytest.mark.parametrize("filters", FILTERS)
def test_losses_add_up(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    games = chosen(db, filters)
    rows = rows_of(cube, QUESTIONS["points_short"], filters)
    missing = (games["full_score"].cast(int) - games["score"].cast(int)).sum()
    assert sum(row.x for row in rows) == missing
    assert sum(row.value for row in rows) == pytest.approx(missing / games.height)


def test_losses_and_tokens_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    lost = {row["kind"]: row for row in analysis.points_short(db, None).iter_rows(named=True)}
    rows = by_label(cube, "points_short", {})
    both = rows["", "Last copy discarded"].x + rows["", "Last copy discarded, no mistake"].x
    assert both == lost["discard_last_copy"]["points"]
    assert rows["", "Left unplayed at the end"].x == lost["unplayed"]["points"]
    assert rows["", "Left unplayed at the end"].low == pytest.approx(lost["unplayed"]["low"])
    assert rows["", "Left unplayed at the end"].high == pytest.approx(lost["unplayed"]["high"])
    tokens = by_label(cube, "wasted_tokens", {})
    for row in analysis.wasted_tokens(db, None).iter_rows(named=True):
        if row["kind"] != "any":
            assert tokens["", definitions()[row["kind"]].label].x == pytest.approx(row["tokens"])


def test_rates_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    frame = analysis.rates(db, by="phase", minimum=1)
    rows = {(row.panel, row.label): row for row in sums_of(cube, "kinds", cube.chosen())}
    for row in frame.iter_rows(named=True):
        one = rows[PHASES[row["phase"]], definitions()[row["kind"]].label]
        assert (one.x, one.y, one.n) == (row["found"], row["opportunities"], row["games"]), row


def test_no_cost_is_left_out(db: Database, cube: Cube) -> None:
    mistakes = db.sql("SELECT kind, severity, points, tokens, pace FROM mistakes")
    blamed = mistakes.filter(~pl.col("severity").is_in(BLAMELESS))
    tokens = sum(row.x for row in sums_of(cube, "wasted_tokens", cube.chosen()))
    assert tokens == blamed["tokens"].sum()
    pace = sum(row.x for row in sums_of(cube, "costs", cube.chosen()) if row.panel == "Pace")
    assert pace == blamed["pace"].sum() > 0
    last = mistakes.filter(pl.col("kind").is_in(["discard_last_copy", "discard_unsaved"]))["points"].sum()
    costs = [row.x for row in sums_of(cube, "costs", cube.chosen()) if row.panel.startswith("Points")]
    assert sum(costs) == last
    misplays = mistakes.filter(kind="misplay")
    found = [row.x for row in sums_of(cube, "misplays", cube.chosen()) if row.panel == "Misplays"]
    assert sum(found) == misplays.height


@pytest.mark.heavy
def test_rates_of_real_games_are_those_of_the_analysis(tmp_path: Path) -> None:
    with connect(tmp_path / "real.duckdb") as db:
        db.add(hz.read(shared("logs/ah2ac2-3p-111-games.safetensors")))
        db.read_conventions()
        with Cube(db) as cube:
            test_rates_are_those_of_the_analysis(db, cube)
            test_every_mistake_on_a_clue_counts_as_a_clue_mistake(db, cube)
            test_no_cost_is_left_out(db, cube)


def test_more_kinds_than_bits_of_a_mask_are_refused() -> None:
    kinds = {f"play_{number}": definitions()["misplay"] for number in range(63)}
    with pytest.raises(hz.HanalyzeError, match="63 kinds of mistakes, but at most 62 are possible"):
        counts(kinds)


def test_intervals_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    frame = analysis.rates(db, by="phase", minimum=200)
    rows = {**by_label(cube, "discards", {}), **by_label(cube, "clue_mistakes", {})}
    compared = 0
    for row in frame.filter(pl.col("found") >= 20, pl.col("low").is_not_null()).iter_rows(named=True):
        mine = rows.get((PHASES[row["phase"]], definitions()[row["kind"]].label))
        if mine is None:
            continue
        assert (mine.low, mine.high) == pytest.approx((100 * row["low"], 100 * row["high"]))
        compared += 1
    assert compared > 1


def test_an_interval_from_sums_is_that_from_games() -> None:
    choice = random.Random(3)
    y = [choice.randint(1, 9) for _ in range(400)]
    x = [sum(choice.random() < 0.3 for _ in range(of)) for of in y]
    pairs = list(zip(x, y, strict=True))
    one = Sum(
        n=400,
        x=sum(x),
        y=sum(y),
        xx=sum(a * a for a in x),
        xy=sum(a * b for a, b in pairs),
        yy=sum(b * b for b in y),
    )
    value, low, high = estimate(one, share=True)
    again = analysis.share_interval(x, y)
    assert value == sum(x) / sum(y)
    assert (low, high) == pytest.approx(tuple(again))
    # Of a mean it is the same score interval.
    value, low, high = estimate(one, share=False)
    again = analysis.mean_interval(x, y)
    assert (low, high) == pytest.approx(tuple(again), abs=0.004)


def test_means_are_those_of_the_analysis() -> None:
    usual = [float(number % 4) for number in range(40)]
    cases = [
        usual,
        usual[:20],
        usual[:19],  # too few games
        usual * 10,  # more degrees of freedom than the scripts have in their list
        [*usual, 17.0],
        [0.0] * 40 + [3.0] * 5,
        [0.0] * 40 + [3.0],  # rare losses
        [2.0] * 30,  # nothing varies
    ]
    for number, values in enumerate(cases):
        x, xx, n = sum(values), sum(one * one for one in values), len(values)
        value, *ends = estimate(Sum(n=n, x=x, y=n, xx=xx, xy=x, yy=n), share=False)
        assert value == x / n
        expected = mean_of_sums(Sums(x, n, xx, x, n), n)
        assert math.isnan(expected.low) == (number in (2, 7))
        assert ends == [None if math.isnan(end) else pytest.approx(end, rel=1e-9) for end in expected]


@pytest.mark.parametrize("filters", FILTERS)
def test_clues_and_discards(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    own = decided(db, filters)
    clues = db.clues().collect().join(own, left_on=["game_id", "giver"], right_on=["game_id", "seat"])
    rows = by_label(cube, "clue_value", filters)
    colour = clues.filter(pl.col("kind") == "colour")
    assert rows["Kind", "colour"].x == colour["cards_gotten"].sum()
    assert rows["Kind", "colour"].y == colour.height
    second = clues.filter(pl.col("turn").is_between(10, 19))
    assert rows["Turn", "11-20"].y == second.height
    discards = db.sql("SELECT * FROM decisions WHERE result = 'discarded' AND one_choice IS NULL").join(
        own, on=["game_id", "seat"]
    )
    blamed = db.mistakes().filter(
        pl.col("kind").str.starts_with("discard")
        & (pl.col("kind") != "discard_unsaved")
        & ~pl.col("severity").is_in(list(BLAMELESS))
    )
    bad = discards.join(blamed.select("game_id", "turn").unique(), on=["game_id", "turn"])
    rows = by_label(cube, "discards_by", filters)
    for rank in range(1, 6):
        assert rows["Rank", str(rank)].y == discards.filter(pl.col("rank") == rank).height
        assert rows["Rank", str(rank)].x == bad.filter(pl.col("rank") == rank).height
    assert rows["Seat", "1"].x == bad.filter(pl.col("seat") == 0).height


def test_origins_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    rows = by_label(cube, "origins", {})
    whole = analysis.card_origins(db).with_columns(pl.lit("All cards").alias("panel"))
    ranks = analysis.card_origins(db, "rank", minimum=1).with_columns(
        ("Rank " + pl.col("rank").cast(str).replace("7", "S")).alias("panel")
    )
    for one in pl.concat([whole, ranks.drop("rank")]).iter_rows(named=True):
        guessed, known, once, more = (
            rows[one["panel"], label]
            for label in ("no clue, not known", "no clue, deduced", "one clue", "several clues")
        )
        assert {row.y for row in (guessed, known, once, more)} == {one["cards"]}
        assert guessed.n == one["games"]
        assert guessed.x + known.x == pytest.approx(one["blind"] * one["cards"])
        assert known.x == pytest.approx((one["known"] or 0) * one["blind"] * one["cards"])
        assert (once.x, more.x) == pytest.approx((one["once"] * one["cards"], one["more"] * one["cards"]))
    [row] = whole.iter_rows(named=True)
    once = rows["All cards", "one clue"]
    width = 100 * (row["once_high"] - row["once_low"])
    assert (once.low, once.high) == pytest.approx(
        (100 * row["once_low"], 100 * row["once_high"]), abs=0.15 * width
    )


@pytest.mark.parametrize("filters", FILTERS)
def test_origins(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    played = db.cards().filter(pl.col("fate") == "played").collect()
    own = decided(db, filters)
    played = played.join(own, left_on=["game_id", "holder"], right_on=["game_id", "seat"])
    clues = played["colour_clues"].cast(int) + played["rank_clues"].cast(int)
    rows = by_label(cube, "origins", filters)
    assert rows["All cards", "one clue"].x == (clues == 1).sum()
    assert rows["All cards", "several clues"].y == played.height
    unknown = played.filter(
        (clues == 0) & ~(pl.col("known_turn") <= pl.col("fate_turn")).fill_null(value=False)
    )
    assert rows["Rank 5", "no clue, not known"].x == unknown.filter(pl.col("rank") == 5).height
    said = "".join(sentence(QUESTIONS["origins"], list(rows.values()), 1.96))
    assert (f"{unknown.height:,} of {played.height:,}" if unknown.height else "Each of the") in said


def test_known_and_odds(db: Database, cube: Cube) -> None:
    found = db.mistakes("discard_five")
    rows = by_label(cube, "known", {})
    assert rows["Needed 5", "knew"].x == found.filter(pl.col("severity") == "knew").height
    assert rows["Needed 5", "knew"].y == found.height
    once = {  # of several severities of a discard, the worst comes last and stays
        (one["game_id"], one["turn"]): one["severity"]
        for severity in reversed(SEVERITIES)
        for kind in JUDGED
        for one in db.mistakes(kind).filter(severity=severity).iter_rows(named=True)
    }
    for severity in ("knew", "could_tell", "could_not_know"):
        row = rows[ALL_KINDS, SEVERITIES[severity].short]
        assert (row.x, row.y) == (list(once.values()).count(severity), len(once))
    assert len(once) < sum(db.mistakes(kind).height for kind in JUDGED)
    plays = db.turns().filter(pl.col("action") == "play", pl.col("p_playable") > 1 - 1e-9).collect()
    odds = by_label(cube, "odds", {})["Plays that worked", "100"]
    assert (odds.y, odds.x) == (plays.height, plays.filter(pl.col("result") == "played").height)


def test_points_that_another_player_should_have_saved() -> None:
    """The shares of a player's points lost add up to all of them, also of points charged to the player."""
    with connect() as db:
        db.add(simulate("cautious", players=3, games=4, seed=1), jobs=1)
        db.solve(nodes=2000, jobs=1)
        assert db.sql(
            "SELECT count(*) FROM judged_losses ANTI JOIN losses USING (game_id, turn, seat)"
        ).item()
        charged = db.sql("SELECT player, sum(points)::INTEGER FROM judged_losses GROUP BY ALL").rows()
        assert len(charged) == 3
        with Cube(db) as cube:
            for player, points in charged:
                rows = sums_of(cube, "lost_known", cube.chosen({"player": player}))
                whole = [row for row in rows if row.panel == ALL_KINDS]
                assert sum(row.x for row in whole) == points
                assert {row.y for row in whole} == {points}


def test_points_lost_by_the_end_of_a_game_are_no_players() -> None:
    with connect() as db:
        db.add([game("clue 1 1, clue 0 1, vote"), game("clue 1 1, end 4")], jobs=1)
        db.solve(nodes=300, jobs=1)
        with Cube(db) as cube:
            for player, points in ({}, 50), ({"player": "Alice"}, 0):
                rows = sums_of(cube, "lost_by_player", cube.chosen(player))
                assert sum(row.x for row in rows if row.label == "All points lost") == points


def test_perfect_games_by_size_and_variant(db: Database, cube: Cube) -> None:
    rows = by_label(cube, "perfect", {})
    for row in analysis.scores(db, "players").iter_rows(named=True):
        mine = rows["Team size", f"{row['players']} players"]
        assert (mine.x, mine.y) == (pytest.approx(row["perfect"] * row["games"]), row["games"])
        assert mine.low == pytest.approx(100 * row["perfect_low"])


@pytest.mark.parametrize("filters", [{}, {"players": 3}, {"player": "Ada"}])
def test_curves_are_those_of_the_analysis(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    games = chosen(db, filters)
    perfect = games.filter(pl.col("score") >= pl.col("full_score"))["game_id"]
    turns = db.turns().collect().filter(pl.col("action") != "end_game")
    turns = turns.filter(pl.col("game_id").is_in(games["game_id"].implode()))
    compared = 0
    for row in rows_of(cube, QUESTIONS["efficiency"], filters):
        if row.panel != "Perfect games" or row.n < 5:
            continue
        at = turns.filter(pl.col("turn") == row.x - 1, pl.col("game_id").is_in(perfect.implode()))
        values = (
            at["future_efficiency_after"] if row.series else at["cards_gotten_after"] / at["clues_lost_after"]
        )
        values = values.drop_nulls().filter(values.drop_nulls().is_finite())
        assert row.n == len(values)
        below, above = (values.quantile(q, "lower" if q < 0.5 else "higher") for q in (0.45, 0.55))
        assert below is not None
        assert above is not None
        assert below - BIN <= row.value <= above + BIN
        compared += 1
    if not filters:
        assert {row.panel for row in rows_of(cube, QUESTIONS["efficiency"], {})}
    assert compared >= 0


def test_players_against_the_field(db: Database, cube: Cube) -> None:
    rows = {row.label: row for row in rows_of(cube, QUESTIONS["players"], {})}
    games, seats = db.games(), db.seats()
    ada = seats.filter(pl.col("player") == "Ada")["game_id"]
    total = weight = 0.0
    for _, some in games.group_by("players", "variant"):
        is_mine = pl.col("game_id").is_in(ada.implode())
        mine, others = some.filter(is_mine)["score"], some.filter(~is_mine)["score"]
        if len(mine) > 1 and len(others) > 1:
            total += len(mine) * (mine.mean() - others.mean())
            weight += len(mine)
    assert rows["Ada"].value == pytest.approx(total / weight)
    own = {(row.panel, row.label): row for row in rows_of(cube, QUESTIONS["player_rates"], {})}
    rate = analysis.rates(db, "misplay", by="player", minimum=1).filter(pl.col("player") == "Ada")
    assert own["Blamed misplays", "Ada"].x == rate["found"].item()
    assert own["Blamed misplays", "Ada"].y == rate["opportunities"].item()


def test_every_mistake_on_a_clue_counts_as_a_clue_mistake(db: Database, cube: Cube) -> None:
    about_clues = [kind for kind, one in definitions().items() if one.family == "clue"]
    mistakes = db.sql("SELECT game_id, turn, kind, severity FROM mistakes")
    blamed = mistakes.filter(
        pl.col("kind").is_in([*about_clues, "discard_unsaved"]), ~pl.col("severity").is_in(BLAMELESS)
    )
    clues = db.sql("SELECT game_id, turn FROM decisions WHERE one_choice IS NULL AND result = 'clued'")
    rows = {row.label: row for row in sums_of(cube, "own_mistakes", cube.chosen())}
    made = clues.join(blamed, on=["game_id", "turn"], how="semi")
    assert (rows["Clue mistakes"].x, rows["Clue mistakes"].y) == (made.height, clues.height)
    assert blamed.filter(~pl.col("kind").str.starts_with("clue")).height


def test_own_decisions_are_compared_with_those_of_the_other_players(db: Database, cube: Cube) -> None:
    """Cards per clue of a player, against the clues of all others, partners in the same games included."""
    clues = db.sql(
        "SELECT g.players, g.variant, c.game_id, s.player, c.cards_gotten"
        " FROM clues c JOIN games g USING (game_id)"
        " JOIN seats s ON s.game_id = c.game_id AND s.seat = c.giver"
    )
    total = weight = 0.0
    for _, some in clues.group_by("players", "variant"):
        mine, others = (some.filter((pl.col("player") == "Ada") == side) for side in (True, False))
        if mine["game_id"].n_unique() > 1 and some["game_id"].n_unique() > 1 and others.height:
            total += mine.height * (mine["cards_gotten"].mean() - others["cards_gotten"].mean())
            weight += mine.height
    rows = {(row.panel, row.label): row for row in rows_of(cube, QUESTIONS["player_rates"], {})}
    row = rows["Cards per clue", "Ada"]
    assert (row.value, row.y) == (pytest.approx(100 * total / weight), weight)


def test_players_differ_as_in_the_table_of_scores() -> None:
    """One team size and variant: the page tests each player against the other games as `scores` does."""
    choice = random.Random(3)
    with connect() as made:
        made.add(
            replace(record, players=tuple(choice.sample("ABCDE", 2)))
            for record in simulate("cautious", players=2, games=90, seed=5)
        )
        frame = analysis.scores(made, "player")
        with Cube(made) as cube:
            rows = rows_of(cube, QUESTIONS["players"])
    expected = dict(frame.select("player", "p_value").rows())
    found = {row.label: 2 * float(stdtr(row.freedom, -abs(row.value or 0) / row.error)) for row in rows}
    assert found == pytest.approx(expected)


def test_pairs(db: Database, cube: Cube) -> None:
    rows = {(row.label, row.other): row for row in rows_of(cube, QUESTIONS["partners"])}
    seats = db.seats()
    for (first, second), row in rows.items():
        both = [seats.filter(pl.col("player") == name)["game_id"].unique() for name in (first, second)]
        assert row.n == both[0].is_in(both[1].implode()).sum()


def test_lists(db: Database, cube: Cube) -> None:
    points = db.mistakes().sort("points", descending=True)["points"].head(8).to_list()
    chosen_cells = set(cube.chosen({}))
    listed = cube.listed("costliest").filter(
        pl.col("cells").list.eval(pl.element().is_in(list(chosen_cells))).list.any()
    )
    assert listed["points"].head(8).to_list() == points


def test_rare_names_share_a_cell(db: Database) -> None:
    with Cube(db, variants_most=1, players_most=2) as cube:
        assert cube.variants[-1] == OTHERS
        assert cube.players[-1] == OTHERS
        [one] = sums_of(cube, "perfect", cube.chosen({}))
        assert one.n == db.games().height
        [others] = sums_of(cube, "perfect", cube.chosen({"player": OTHERS}))
        frequent = cube.players[:2]
        with_others = db.seats().filter(~pl.col("player").is_in(frequent))["game_id"].n_unique()
        assert others.n == with_others
    with Cube(db, {"player": "Goro"}, players_most=2) as cube:
        assert "Goro" in cube.players


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_figure_is_drawn(cube: Cube, name: str) -> None:
    for filters in (None, {"players": 3}, {"player": "Ada", "variant": None}):
        drawn = draw(cube, QUESTIONS[name], filters)
        assert QUESTIONS[name].title in drawn.layout.title.text
        drawn.to_json()


def test_figures_alone_are_those_of_a_cube(db: Database, cube: Cube) -> None:
    for name, filters in (("scores", None), ("discards", {"players": 3}), ("players", {"player": "Goro"})):
        alone = figure(name, db, filters)
        assert alone.to_json() == draw(cube, QUESTIONS[name], filters).to_json()


@pytest.mark.parametrize("name", sorted(COUNTS))
@pytest.mark.heavy
def test_queries_run_as_they_are_shown(db: Database, name: str) -> None:
    one = COUNTS[name]
    frames = [db.sql(part) for part in re.split(r"\n\n-- (?:of|own)\n", one.query)]
    assert len(frames) == (2 if one.found or one.own else 1)
    assert any("seat" in frame.columns for frame in frames) == one.of_decisions
    # Of each denominator a game, or a seat, has one row; n counts them.
    for of in frames[1:] if one.found else frames:
        place = [column for column in ("game_id", "seat", "of") if column in of.columns]
        assert {"game_id", "of", "y"} <= set(of.columns)
        assert of.select(place).is_unique().all()
        assert (of["y"] > 0).all()
        if one.found:
            assert {*place, "panel", "label", "x"} <= set(frames[0].columns)
            assert frames[0].join(of, on=place, how="anti").is_empty()
        else:
            assert of["x"].is_not_null().all()


@pytest.mark.parametrize("name", LISTED)
def test_lists_run_as_they_are_shown(db: Database, cube: Cube, name: str) -> None:
    whole = db.sql(query(name)).sort("place")
    assert whole["place"].to_list() == list(range(1, whole.height + 1))
    listed = cube.listed(name)
    assert listed.select(whole.columns).equals(whole.filter(pl.col("place").is_in(listed["place"].implode())))


@pytest.mark.heavy
def test_names_do_nothing_in_figures(tmp_path: Path) -> None:
    with make_database(tmp_path, HOSTILE, samples=False) as db, Cube(db) as cube:
        for name in ("player_rates", "partners", "costliest", "efficient"):
            text = draw(cube, QUESTIONS[name]).to_json()
            assert "<script" not in text.replace("\\u003c", "<")
            assert "<img" not in text.replace("\\u003c", "<")
            assert "x" * 100 not in text
    assert len(set(apart(["a" * 50 + "1", "a" * 50 + "2"], NAME_WIDTH))) == 2


def test_no_name_is_a_slot() -> None:
    """In a chart `~x`, `@x` and `$x` are filled; a player of such a name is shown by it."""
    people = ("~nobody", "@value", "$names", "{label}")
    rows = [Row("", name, 1.0, 0.5, 1.5, 30, 30, 30, clear=True) for name in people]
    drawn = filled(CHARTS["field"], QUESTIONS["players"], rows, COLOURS, 900, 1.96)
    assert drawn is not None
    labels = drawn["layout"]["yaxis"]["ticktext"]
    assert [label.split("  ")[0] for label in labels] == ["~nobody", "@value", "&#36;names", "{label}"]
    assert all(
        name in tip for name, tip in zip(("~nobody", "@value"), drawn["data"][-1]["hovertext"], strict=False)
    )


def test_errors(db: Database) -> None:
    with pytest.raises(UnknownName):
        figure("scors", db)
    with pytest.raises(UnknownName):
        figure("scores", db, {"player": "nobody"})
    with pytest.raises(UnknownName):
        figure("scores", db, {"seat": 1})
    with pytest.raises(HanalyzeError, match="no game matches"):
        figure("scores", db, {"players": 2, "variant": "Rainbow (5 Suits)"})
    with connect() as empty, pytest.raises(HanalyzeError, match="the database has no games"):
        figure("scores", empty)


@pytest.mark.parametrize("name", ["dots", "game_dots", "apart_dots", "own_dots", "field", "trend", "odds"])
def test_dots_at_the_end_of_an_axis_are_drawn_whole(name: str) -> None:
    drawn = [one for one in CHARTS[name]["data"] if one.get("hoverinfo") == "text"]
    assert drawn
    assert all(one["cliponaxis"] is False for one in drawn)


def test_each_thread_has_an_engine() -> None:
    numbers = range(990, 1010)
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda number: run("count", number), numbers)] == [f"{one:,}" for one in numbers]


def test_an_error_in_a_script_is_raised() -> None:
    with pytest.raises(JSException, match="nowhere"):
        run("() => nowhere")
    assert run("shown", 0.5, 1) == "0.5"
