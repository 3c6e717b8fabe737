"""`hanalyze stats`: what it shows, and what it says where there is nothing to show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanalyze import sum_up
from hanalyze.agents import simulate
from hanalyze.analysis import convention_effects, convention_stats, overview, points_short, rates, scores
from hanalyze.analysis.reports import STATS_REPORTS
from hanalyze.cli.stats import stats
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import connect
from hanalyze.store.definitions import definitions
from tests.analysis.played import STRANGE, played

Run = Callable[..., str]

READ = ("conventions", "effects", "experiment")
"""What is about games that were read for conventions."""
MISSING = {
    "luck": "no chances: read the games with `hanalyze conventions` first",
    "hindsight-losses": "no game was solved: run `hanalyze solve` on this database first",
}
"""What is said of games that were not."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the simulated games."""
    path = tmp_path_factory.mktemp("database") / "games.duckdb"
    connect(path).close()
    tables = ("games", "seats", "turns", "clues", "cards")
    connection = played().connection.cursor()
    connection.execute(f"ATTACH '{path}' AS copy")
    for table in tables:
        connection.execute(f"INSERT INTO copy.{table} SELECT * FROM memory.{table}")
    connection.execute("DETACH copy")
    with connect(path) as db:
        sum_up(db)  # what the library gives of the same games here is of their turns
    return path


@pytest.fixture
def run(database: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run(**options: Any) -> str:
        stats(str(database), **options)
        return capfdbinary.readouterr().out.decode()

    return run


def test_by_default_an_overview(run: Run) -> None:
    lines = run().splitlines()
    heads = ["games", "mean score", "finished", "perfect", "struck out"]
    heads += [f"{family} mistakes" for family in ("discard", "play", "clue")]
    assert [head.strip() for head in lines[0].split("  ") if head.strip()] == heads
    assert lines[1].split()[0] == "62"
    assert "[" in lines[1]
    assert lines[3] == "62 games"
    assert "finished (if shown): mean score of the games that were played to their end" in lines
    assert "95% interval" in lines[-1]
    assert "Wilson" in lines[-1]


def test_rates_are_shown_in_per_cent_with_their_interval(run: Run) -> None:
    [row] = rates(played(), "misplay", by=None).to_dicts()
    lines = run(kind=["misplay"]).splitlines()
    [line] = [line for line in lines if line.startswith("misplay ") and "%" in line]
    expected = f"{100 * row['rate']:.1f}% [{100 * row['low']:.1f}-{100 * row['high']:.1f}]"
    assert expected in line
    assert line.split()[1:3] == [str(row["found"]), str(row["opportunities"])]


SLOW = ("calibration", "luck", "mistakes", "overview", "points-short", "wasted-tokens")
"""What takes longest with so many kinds of groups."""


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=pytest.mark.heavy) if what in SLOW else what
        for what in STATS_REPORTS
        if what not in READ
    ],
)
def test_everything_can_be_asked_for(run: Run, what: str) -> None:
    for by in (None, "player"):
        shown = run(what=what, by=by)
        assert "62 games" in shown
        if what in MISSING:
            # These games were neither read for conventions nor solved, and nothing else is said.
            assert MISSING[what] in shown
            assert run(what=what, by=by, as_json=True) == ""
            continue
        objects = [json.loads(line) for line in run(what=what, by=by, as_json=True).splitlines()]
        assert objects
        assert by is None or by in objects[0]
        csv = run(what=what, by=by, csv="-").splitlines()
        assert csv[0].split(",") == list(objects[0])


def test_what_has_no_groups_says_so(run: Run) -> None:
    with pytest.raises(UnknownName) as refused:
        run(what="effects", by="player")
    assert str(refused.value) == 'there is no grouping "player"; leave it out: this table has no groupings'


@pytest.mark.parametrize(
    ("what", "by", "said"),
    [
        ("curve", "player,month", '"player,month"; give only one of: player, players, variant, '),
        ("scores", "player,month,year", '"player,month,year"; give one or two of: players, variant, '),
        ("scores", "player,munth", '"munth"; did you mean "month"?'),
    ],
)
def test_too_many_groups_are_no_misspelt_group(run: Run, what: str, by: str, said: str) -> None:
    with pytest.raises(UnknownName) as refused:
        run(what=what, by=by)
    assert str(refused.value).startswith(f"there is no grouping {said}")


def test_json_has_all_that_the_library_gives(run: Run) -> None:
    objects = [json.loads(line) for line in run(by="player", as_json=True).splitlines()]
    frame = overview(played(), "player")
    assert [row["player"] for row in objects] == frame["player"].to_list()
    assert {row["player"] for row in objects} == set(STRANGE)
    for got, expected in zip(objects, frame.to_dicts(), strict=True):
        assert got == pytest.approx(expected)


@pytest.mark.parametrize(
    ("former", "name"),
    [("losses", "points-short"), ("lost", "hindsight-losses"), ("tokens", "wasted-tokens")],
)
def test_reports_answer_to_their_former_names(run: Run, former: str, name: str) -> None:
    assert run(what=former) == run(what=name)


def test_groups_below_the_minimum_are_left_out_and_said(run: Run) -> None:
    frame = rates(played(), "misplay", by="partner", minimum=60)
    shown = frame.filter(frame["rate"].is_not_null()).height
    assert 0 < shown < frame.height
    lines = run(what="mistakes", kind=["misplay"], by="partner", minimum=60).splitlines()
    assert lines[shown + 1] == ""
    left = f"{frame.height - shown} rows with fewer than 60 opportunities left out (--min)"
    assert lines[shown + 2] == f"62 games; {left}"
    objects = run(kind=["misplay"], by="partner", minimum=60, as_json=True).splitlines()
    assert len(objects) == frame.height


def test_mistakes_by_group_are_a_row_per_group(run: Run) -> None:
    frame = rates(played(), "play", by="player", minimum=2)
    options = {"what": "mistakes", "kind": ["play"], "by": "player", "minimum": 2}
    lines = run(**options).splitlines()
    assert lines[0].split()[:5] == ["player", "games", "mistakes", "per", "game"]
    assert len(lines[1 : lines.index("")]) == len(STRANGE)
    for name in STRANGE:
        [line] = [line for line in lines if line.startswith(f"{name} ")]
        own = frame.filter(player=name)
        games, mistakes, per_game, points, *kinds = line.removeprefix(name).split()
        assert (int(games), int(mistakes)) == (own["games"].max(), own["found"].sum())
        assert float(per_game) == pytest.approx(int(mistakes) / int(games), abs=0.005)
        assert int(points) == own["points"].sum()
        costliest = own.filter(own["found"] > 0).sort("points", "found", descending=True).row(0, named=True)
        assert " ".join(kinds).startswith(f"{costliest['kind']} {costliest['points']} ({costliest['found']})")
    assert lines[-1] == "--all: every kind, with its rate and interval"
    every = run(**options, show_all=True).splitlines()
    assert len(every[1 : every.index("")]) == frame["rate"].count()
    assert len(run(**options, as_json=True).splitlines()) == frame.height


def test_families_and_words_with_hyphens(run: Run) -> None:
    family = [json.loads(line)["kind"] for line in run(kind=["play"], as_json=True).splitlines()]
    assert set(family) == {kind for kind, one in definitions().items() if one.family == "play"} & {
        *rates(played(), by=None)["kind"]
    }
    [row] = run(kind=["play-missed"], as_json=True).splitlines()
    assert json.loads(row)["kind"] == "play_missed"


def test_the_largest_groups_come_first_and_rows_can_be_cut(run: Run) -> None:
    frame = scores(played(), "player").sort("games", "player", descending=[True, False])
    lines = run(by="player", what="scores").splitlines()[1 : 1 + len(STRANGE)]
    assert [line[: len(name)] for line, name in zip(lines, frame["player"], strict=True)] == [
        *frame["player"]
    ]
    cut = run(by="player", what="scores", rows=2).splitlines()
    assert [line.split()[0] for line in cut[1:3]] == [line.split()[0] for line in lines[:2]]
    assert cut[3] == f"... {len(STRANGE) - 2} more rows; --rows 0 shows all"


def test_csv_goes_into_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "losses.csv"
    assert run(what="points-short", csv=str(path)) == ""
    lines = path.read_text().splitlines()
    assert lines[0] == "kind,games,points,per_game,low,high"
    assert len(lines) == 1 + points_short(played(), None).height


@pytest.mark.parametrize("by", ["seat", "suit", "turn"])
def test_people_count_from_1_and_programs_from_0(run: Run, by: str) -> None:
    what = "clues" if by == "turn" else "cards"
    shown = run(what=what, by=by, minimum=1).splitlines()[1].split()[0]
    first = json.loads(run(what=what, by=by, as_json=True).splitlines()[0])[by]
    assert (shown, first) == (("1-10", "0-9") if by == "turn" else ("1", 0))


def test_strange_names_are_shown(run: Run) -> None:
    shown = run(by="player")
    for name in STRANGE:
        assert name in shown


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"by": "nobody"}, "unknown_grouping"),
        ({"by": "turn", "what": "scores"}, "unknown_grouping"),
        ({"kind": ["misplays"]}, "unknown_kind_of_mistake"),
        ({"kind": ["misplay"], "what": "clues"}, "usage"),
        ({"as_json": True, "csv": "-"}, "usage"),
        ({"csv": "/no/such/folder/x.csv"}, "unwritable"),
    ],
)
def test_what_cannot_be_shown(run: Run, options: dict[str, Any], rule: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        run(**options)
    assert caught.value.rule == rule
    assert isinstance(caught.value, UnknownName) == rule.startswith("unknown")


@pytest.mark.heavy
def test_an_empty_database_is_said_to_be_one(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "games.duckdb"
    connect(path).close()
    for what in STATS_REPORTS:
        if what in READ:
            with pytest.raises(HanalyzeError, match="the database has no games"):
                stats(str(path), what=what)
            continue
        stats(str(path), what=what)
        assert "0 games" in capfdbinary.readouterr().out.decode()


@pytest.mark.heavy
def test_conventions_and_their_effects(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.add(simulate("cautious", players=3, games=40, seed=5, fast=False))
        db.read_conventions()
        misread = convention_stats(db, by="receiver").filter(convention="play_clue", receiver="Bob")
        effects = convention_effects(db)

    def shown(**options: Any) -> list[str]:
        stats(str(path), **options)
        return capfdbinary.readouterr().out.decode().splitlines()

    lines = shown(what="conventions", by="receiver")
    assert lines[0].split() == ["receiver", "convention", "uses", "settled", "read", "success", "strikes"]
    [bob] = [line for line in lines if line.split()[:2] == ["Bob", "play_clue"]]
    assert bob.split()[2:4] == [str(misread[name].item()) for name in ("uses", "settled")]
    lines = shown(what="effects")
    heads = ["convention", "outcome", "taken", "declined", "effect", "q", "verdict", "overlap", "balance"]
    assert [head.strip() for head in lines[0].split("  ") if head.strip()] == heads
    estimated = effects.drop_nulls("effect")
    row = estimated.row(0, named=True)
    assert lines[1].split()[:4] == ["play_clue", "points", str(row["taken"]), str(row["declined"])]
    assert f"{row['effect']:.2f} [{row['effect_low']:.2f}" in lines[1]
    few = effects.height - estimated.height
    assert any(
        line.startswith(f"40 games; {few} rows with fewer than 30 clues with it, or without it,")
        for line in lines
    )
    assert "games as clusters" in lines[-1]
