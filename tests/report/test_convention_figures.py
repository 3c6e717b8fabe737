"""The figures about conventions: their numbers are those of the analysis, and of games counted one by one."""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hanalyze import analysis
from hanalyze.analysis.convention_effects import turns_query
from hanalyze.errors import HanalyzeError
from hanalyze.game.meanings import Convention
from hanalyze.report.dashboard.behind import WORTH, Behind, counts_of
from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.report.dashboard.counts import counts
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figures import draw, figure
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.dashboard.questions.conventions import UNEXPLAINED, USES, WORKED
from hanalyze.store import Database, connect
from hanalyze.store.definitions import definitions
from tests.cli.running import hanalyze
from tests.report.board import data_of, make_read_database
from tests.report.figure_scripts import Row, rows_of, sentence

SCORES = "SELECT game_id, turn, score_before FROM turns"
USAGE, WORTH_MORE = QUESTIONS["conventions"], QUESTIONS["convention_worth"]
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3},
    {"variant": "Rainbow (5 Suits)"},
    {"player": "Ada"},
    {"players": 3, "variant": "No Variant", "player": "Bela"},
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    make_read_database(folder).close()
    return folder / "games.duckdb"


@pytest.fixture(scope="module")
def db(path: Path) -> Iterator[Database]:
    with connect(path, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def cube(db: Database) -> Iterator[Cube]:
    with Cube(db) as made:
        yield made


def kept(db: Database, filters: dict[str, Any]) -> set[int]:
    """Return the games that filters leave."""
    games = db.games()
    for name in ("players", "variant"):
        if name in filters:
            games = games.filter(pl.col(name) == filters[name])
    ids = set(games["game_id"])
    if "player" in filters:
        ids &= set(db.seats().filter(pl.col("player") == filters["player"])["game_id"])
    return ids


def said(question: Question, rows: list[Row]) -> str:
    return "".join(sentence(question, rows, 1.96))


def by_panel(rows: list[Row]) -> dict[tuple[str, str], Row]:
    return {(row.panel, row.label): row for row in rows}


@pytest.mark.heavy
def test_uses_and_success_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    rows = by_panel(rows_of(cube, USAGE))
    seen = set()
    for one in analysis.convention_stats(db, minimum=30).iter_rows(named=True):
        words = Convention[one["convention"].upper()].words
        row = rows.get((USES, words))
        if row is None:
            assert (
                one["uses"] < 30
                or one["convention"] in ("unexplained", "deferral")
                or (one["convention"].endswith("_play") or one["convention"] == "plain_discard")
            )
            continue
        seen.add((USES, words))
        assert (row.x, row.value) == (one["uses"], pytest.approx(one["per_100"]))
        worked = rows.get((WORKED, words))
        assert (worked is None) == (one["success"] is None), words
        if worked is not None:
            seen.add((WORKED, words))
            assert (worked.y, worked.value) == (one["settled"], pytest.approx(100 * one["success"]))
            width = 100 * (one["success_high"] - one["success_low"])
            assert worked.low == pytest.approx(100 * one["success_low"], abs=0.15 * width + 0.2)
    assert len(seen) >= 8
    rest = rows.pop((UNEXPLAINED, UNEXPLAINED))
    assert set(rows) == seen
    covered = analysis.convention_coverage(db).row(0, named=True)
    assert (rest.value, rest.y) == (pytest.approx(100 * covered["unexplained"]), covered["actions"])


def test_ending_a_game_is_no_action(tmp_path: Path) -> None:
    """Page, statistics, comparison and explorer divide the uses by the same actions."""
    with connect(tmp_path / "ended.duckdb") as db:
        db.ingest(Path(__file__).parents[2] / "sample_logs" / "endings.jsonl", jobs=1)
        db.read_conventions()
        ended = db.sql("SELECT count(*) FROM turns WHERE action = 'end_game'").item()
        actions = db.count("turns") - ended
        assert ended == 4  # four of the games were ended by hand, by a vote, or by a clock
        with Cube(db) as cube:
            rows = by_panel(rows_of(cube, USAGE))
        row = rows[USES, "play clue"]
        stats = analysis.convention_stats(db, "play_clue", by=None).row(0, named=True)
        (measure,) = (one.sql(db) for one in analysis.measures(["play_clue"]))
        measured = db.sql(f"SELECT sum(found), sum(opportunities) FROM ({measure})").row(0)
        explored = analysis.explore(db, "convention_uses", where={"convention": ["play_clue"]}).row(
            0, named=True
        )
    assert (row.x, row.y) == (explored["found"], explored["opportunities"]) == (stats["uses"], actions)
    assert stats["per_100"] == pytest.approx(100 * stats["uses"] / actions)
    assert measured == (stats["uses"], pytest.approx(actions / 100))


@pytest.mark.parametrize("filters", FILTERS)
def test_uses_of_the_decisions_that_filters_leave(db: Database, cube: Cube, filters: dict[str, Any]) -> None:
    games = kept(db, filters)
    own = db.seats().filter(pl.col("game_id").is_in(list(games)))
    if "player" in filters:
        own = own.filter(pl.col("player") == filters["player"])
    own = own.select("game_id", "seat")
    findings = db.findings().join(own, on=["game_id", "seat"])
    acted = db.sql("SELECT game_id, seat FROM turns WHERE action <> 'end_game'")
    actions = acted.join(own, on=["game_id", "seat"]).height
    rows = by_panel(rows_of(cube, USAGE, filters))
    uses = findings.filter(pl.col("convention") == "play_clue")
    row = rows[USES, "play clue"]
    assert (row.x, row.y, row.n) == (uses.height, actions, len(games))
    worked = rows[WORKED, "play clue"]
    settled = uses.filter(pl.col("outcome").is_in(["success", "failed", "missed", "stomped", "broken"]))
    assert (worked.x, worked.y) == (uses.filter(pl.col("outcome") == "success").height, settled.height)
    order = [row.value for row in rows_of(cube, USAGE, filters) if row.panel == USES]
    assert order == sorted(order, reverse=True)
    assert all(row.x >= 30 for (panel, _), row in rows.items() if panel == USES)


def test_effects_are_those_of_the_analysis(db: Database, cube: Cube) -> None:
    rows = rows_of(cube, WORTH_MORE)
    frame = analysis.convention_effects(db).filter(pl.col("effect").is_not_null(), outcome="final_score")
    assert frame.height == len(rows) >= 5
    assert [row.value for row in rows] == sorted((row.value or 0 for row in rows), reverse=True)
    by_label = by_panel(rows)
    for one in frame.iter_rows(named=True):
        row = by_label["", Convention[one["convention"].upper()].words]
        assert (row.value, row.low, row.high) == (one["effect"], one["effect_low"], one["effect_high"])
        assert (row.x, row.y, row.n) == (one["declined"], one["taken"], one["games"])
        assert row.clear == (one["verdict"] in ("more", "less"))
    # They are of all games together.
    for filters in FILTERS:
        assert rows_of(cube, WORTH_MORE, filters) == rows


@pytest.mark.heavy
def test_lists_have_the_clues_of_each_number(
    db: Database, cube: Cube, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = counts_of([WORTH_MORE], ())
    assert names == [WORTH]
    rows = rows_of(cube, WORTH_MORE)
    data = Behind(cube, names).data({}, {})
    scores = {(game, turn): score for game, turn, score in db.sql(SCORES).rows()}
    games: dict[str, int] = {}
    for game, seed in db.games().select("game_id", "seed").rows():
        games |= dict.fromkeys((f"Game {seed}", f"Game {seed} (game_id {game})"), game)
    final = dict(db.games().select("game_id", "score").rows())
    words = {one.words: one.label for one in Convention}
    orders = set()
    for row, (ids, values) in zip(rows, data["lists"][WORTH], strict=True):
        assert len(set(ids)) == len(ids) == min(row.y, data["most"]), row.label
        used = set(db.findings().filter(convention=words[row.label]).select("game_id", "turn").rows())
        points = []
        for number in ids:
            place, turn, _, what, _ = (column[number] for column in data["turns"])
            game = games[data["games"][place][4]]
            assert (game, turn - 1) in used
            assert what.startswith("clues ")
            after = scores.get((game, turn - 1 + 7), final[game])
            points.append(after - scores[game, turn - 1])
        assert values == points
        assert points == sorted(points, reverse=(row.value or 0) > 0)
        orders.add((row.value or 0) > 0)
    assert orders == {False, True}
    assert data["sample"] == [cube.read, cube.read, [row.y for row in rows]]
    # Samples of games and of clues.
    monkeypatch.setattr("hanalyze.report.dashboard.cube.EFFECT_GAMES", 40)
    # The module, whose name in the package is that of its function.
    monkeypatch.setattr(sys.modules["hanalyze.analysis.convention_effects"], "MOST_ROWS", 60)
    with Cube(db) as other:
        data = Behind(other, names).data({}, {})
        rows = rows_of(other, WORTH_MORE)
    assert data["sample"][:2] == [40, cube.read]
    assert [len(ids) for ids, _ in data["lists"][WORTH]] == [row.y for row in rows]
    assert max(row.y for row in rows) == 60 < max(data["sample"][2])


def test_sentences_say_what_intervals_support(cube: Cube) -> None:
    used = [Row(USES, "burn", 9.0, 8.0, 10.0, 90, 1000, 9), Row(USES, "fill in", 6.0, 5.0, 7.0, 60, 1000, 9)]
    rest = Row(UNEXPLAINED, "unexplained", 4.0, 3.0, 5.0, 40, 1000, 9)
    assert said(USAGE, [*used, rest]) == (
        "Used most: burn (9.0 per 100 actions). It is clearly ahead; 95% interval: 8.0 to 10.0."
        " No convention explains 4.0% of the actions (3.0 to 5.0)."
    )
    near = Row(USES, "fill in", 7.9, 7.0, 8.8, 79, 1000, 9)
    assert said(USAGE, [used[0], near]) == (
        "Used most: burn (9.0 per 100 actions). It is not clearly ahead of fill in (7.9)."
    )
    assert said(USAGE, []) == "No convention was used 30 times."
    rows = [
        Row("", "a", 0.2, 0.1, 0.3, 9, 40, 9, clear=True),
        Row("", "b", 0.1, -0.1, 0.3, 9, 40, 9),
        Row("", "c", -0.2, -0.3, -0.1, 9, 40, 9, clear=True),
        Row("", "d", -0.2, None, None, 9, 40, 1),
    ]
    assert said(WORTH_MORE, rows).startswith(
        "Of 4 conventions, 1 are clearly associated with higher scores, 1 with lower ones (ignores the"
    )
    assert said(WORTH_MORE, [rows[1], rows[3]]).startswith("No convention is clearly associated with higher")
    assert (
        said(WORTH_MORE, [])
        == "For every convention, too few clues used it, or could have used it but did not."
    )
    for question in (USAGE, WORTH_MORE):
        text = said(question, rows_of(cube, question))
        assert "{" not in text
        assert "**" not in text


@pytest.mark.parametrize("name", ["conventions", "convention_worth"])
def test_figures_alone_are_those_of_a_cube(db: Database, cube: Cube, name: str) -> None:
    for filters in (None, {"players": 3}, {"player": "Ada"}):
        drawn = figure(name, db, filters)
        assert QUESTIONS[name].title in drawn.layout.title.text
        assert drawn.to_json() == draw(cube, QUESTIONS[name], filters).to_json()
        assert "unexplained" not in [text for axis in (drawn.layout.yaxis,) for text in axis.ticktext]


def test_queries_run_as_they_are_shown(db: Database) -> None:
    turns = db.sql(turns_query("convention_games"))
    clues = "SELECT count(*) FROM convention_opportunities JOIN clues USING (game_id, turn)"
    assert turns.height == db.sql(clues).item()
    assert {"available", "used", "after_points", "best_worth"} <= set(turns.columns)
    for part in counts(definitions())["conventions"].query.split("\n\n-- of\n"):
        assert {"game_id", "of"} <= set(db.sql(part).columns)


@pytest.mark.heavy
def test_games_that_were_not_read(tmp_path: Path, db: Database) -> None:
    assert "convention_worth" in made_dashboard(db).text
    assert made_dashboard(db).read == db.games().height
    ran = hanalyze("simulate", "--games", "30", "-o", tmp_path / "games.jsonl")
    assert ran.code == 0
    path = tmp_path / "games.duckdb"
    assert hanalyze("ingest", tmp_path / "games.jsonl", "--db", path).code == 0
    with connect(path, read_only=True) as unread:
        for name in ("conventions", "convention_worth"):
            with pytest.raises(HanalyzeError, match="were not read for conventions") as caught:
                figure(name, unread)
            assert caught.value.rule == "not_read"
        made = made_dashboard(unread)
        assert made.read == 0
        (tmp_path / "unread.html").write_text(made.text, "utf-8")
        text = html.unescape(made.text)
        assert USAGE.title not in text
        assert "worth" not in data_of(tmp_path / "unread.html")
    ran = hanalyze("plot", path, "conventions", "-o", tmp_path / "x.html")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "run `hanalyze conventions DB`" in ran.err
    ran = hanalyze("dashboard", path, "-o", tmp_path / "x.html")
    assert ran.lines[1].endswith("; not read for conventions: hanalyze conventions DB")
    assert hanalyze("ingest", tmp_path / "games.jsonl", "--db", path, "--conventions").code == 0
    ran = hanalyze("dashboard", path, "-o", tmp_path / "x.html")
    assert "not read" not in ran.lines[1]
    ran = hanalyze("plot", path, "conventions", "-o", tmp_path / "y.html")
    assert (ran.code, ran.out) == (0, f"{tmp_path / 'y.html'}\n")


def test_some_of_the_games_were_read(path: Path, tmp_path: Path) -> None:
    with connect(shutil.copy(path, tmp_path)) as db:
        games = db.games().height
        db.connection.execute("DELETE FROM convention_games WHERE game_id % 2 = 0")
        for table in ("conventions", "convention_outcomes", "convention_opportunities"):
            db.connection.execute(f"DELETE FROM {table} WHERE game_id % 2 = 0")
        with Cube(db) as cube:
            assert 0 < cube.read < games
            row = by_panel(rows_of(cube, USAGE))[USES, "play clue"]
            assert row.n == cube.read
