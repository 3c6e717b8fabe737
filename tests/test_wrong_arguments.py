"""What is given to the wrong function, or under a wrong name, is said in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from polars.testing import assert_frame_equal

import hanalyze as hz
from hanalyze import analysis
from hanalyze.store.errors import duckdb_errors
from tests.analysis.played import played

GAME: Final = hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[hz.Action(3, 1, 5)])
LOAD: Final = "load the log first, as in replay(load(path))"
GIVE: Final = "give games, as in add([load(path)])"


@pytest.fixture
def empty() -> Iterator[hz.Database]:
    with hz.connect() as db:
        yield db


NOTES: Final = "give logs, as in note_accuracy(read(path)); databases have no notes"
DETECTOR: Final = (
    "to load a file, use load_detectors([path]);"
    " to make a function a detector, put @detector(name, version) above it"
)


def replay_all(records: Any) -> list[hz.Replay]:
    return list(hz.replay_many(records))


@pytest.mark.parametrize(
    ("function", "given", "said"),
    [
        (hz.replay, "game.json", f"expected GameRecord, got str; {LOAD}"),
        (hz.replay, {"players": []}, f"expected GameRecord, got dict; {LOAD}"),
        (replay_all, "game.json", f"expected GameRecord, got str; {LOAD}"),
        (hz.review, "game.json", f"expected GameRecord, got str; {LOAD}"),
        (
            hz.solve,
            GAME,
            "expected Replay, got GameRecord; replay the game first, as in solve(replay(load(path)))",
        ),
        (
            hz.load,
            {"players": []},
            "not a path, but dict; give a path, or the JSON of a game as text, as in read(json.dumps(game))",
        ),
    ],
)
def test_what_is_no_game(function: Callable[..., Any], given: Any, said: str) -> None:
    with pytest.raises(hz.HanalyzeError) as caught:
        function(given)
    assert str(caught.value) == said
    assert caught.value.rule == "usage"


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("game.json", f"expected GameRecord, got str; {GIVE}; ingest takes paths"),
        ([{"players": []}], f"expected GameRecord, got dict; {GIVE}; ingest takes paths"),
        (GAME, f"expected Iterable, got GameRecord; {GIVE}"),
    ],
)
def test_what_cannot_be_added(empty: hz.Database, records: Any, said: str) -> None:
    with pytest.raises(hz.HanalyzeError) as caught:
        empty.add(records)
    assert str(caught.value) == said
    assert empty.count("games") == 0
    assert empty.add([GAME]).stored == 1  # and nothing is left half done


ONE: Final = (analysis.scores, analysis.luck, analysis.calibration, analysis.overview)
TWO: Final = (analysis.rates, analysis.overview, analysis.clue_values)


@pytest.mark.parametrize("frame", ONE)
def test_a_list_of_one_grouping_is_its_name(frame: Callable[..., Any]) -> None:
    one = frame(played(), by="player")
    for by in (["player"], ("player",)):
        assert_frame_equal(frame(played(), by=by), one)


@pytest.mark.parametrize("frame", TWO)
def test_a_list_of_two_groupings_is_their_names_with_a_comma(frame: Callable[..., Any]) -> None:
    two = frame(played(), by="player,phase")
    assert_frame_equal(
        frame(played(), by=["player", "phase"]), two
    )  # sums of bits may differ in the last digit


def test_a_list_of_one_name_that_is_no_column() -> None:
    assert analysis.rates(played(), by=["severity"]).equals(analysis.rates(played(), by="severity"))


@pytest.mark.parametrize("frame", [analysis.rates, analysis.scores, analysis.luck, analysis.clue_values])
@pytest.mark.parametrize(
    ("by", "name"), [(["plyer"], "plyer"), ({"plyer"}, "{'plyer'}"), ([5], "5"), (5, "5")], ids=str
)
def test_what_is_no_grouping(frame: Callable[..., Any], by: Any, name: str) -> None:
    with pytest.raises(hz.UnknownName) as caught:
        frame(played(), by=by)
    assert str(caught.value).startswith(f'there is no grouping "{name}"; ')


def test_too_many_groupings() -> None:
    for frame, by, most in (
        (analysis.luck, ["player", "month"], "only one"),
        (analysis.scores, ["players", "month", "variant"], "one or two"),
    ):
        with pytest.raises(hz.UnknownName, match=f"give {most} of: "):
            frame(played(), by=by)


def test_a_list_is_no_kind_of_mistake(empty: hz.Database) -> None:
    kinds: Any = ["misplay"]
    with pytest.raises(hz.UnknownName) as caught:
        empty.mistakes(kinds)
    assert str(caught.value).startswith("there is no kind of mistake \"['misplay']\"")


def test_where_there_are_no_groups() -> None:
    with hz.connect() as db:
        db.add([GAME])
        db.read_conventions()
        with pytest.raises(hz.UnknownName) as caught:
            analysis.convention_effects(db, by="player")
    assert str(caught.value) == 'there is no grouping "player"; leave it out: this table has no groupings'


def test_one_name_is_as_good_as_a_list_of_one() -> None:
    one = analysis.compare(played(), a="score>=15", match="players", measure="score", minimum=1)
    several = analysis.compare(played(), a="score>=15", match=["players"], measure=["score"], minimum=1)
    assert one.frame.equals(several.frame)


def test_a_database_has_no_notes(empty: hz.Database) -> None:
    notes: Any = analysis.note_accuracy
    with pytest.raises(hz.HanalyzeError) as caught:
        notes(empty)
    assert str(caught.value) == f"expected Iterable, got Database; {NOTES}"


@pytest.mark.parametrize(("given", "kind"), [("my_detector.py", "str"), ([lambda turn: ()], "function")])
def test_what_is_no_detector(empty: hz.Database, given: Any, kind: str) -> None:
    with pytest.raises(hz.HanalyzeError) as caught:
        empty.read_conventions(detectors=given)
    assert str(caught.value) == f"not a detector, but {kind}; {DETECTOR}"


@pytest.mark.parametrize("most", [0, -1])
def test_no_games_cannot_be_judged(most: int) -> None:
    with pytest.raises(hz.HanalyzeError) as caught:
        analysis.calibration(played(), most=most)
    assert (caught.value.rule, caught.value.advice) == ("bad_number", "use at least 1, or None for all")


def test_a_database_that_this_program_has_open_otherwise(tmp_path: Any) -> None:
    path = tmp_path / "games.duckdb"
    hz.connect(path).close()
    with hz.connect(path, read_only=True), pytest.raises(hz.HanalyzeError) as caught:
        hz.connect(path)
    assert caught.value.rule == "database_held"
    assert "this program already has the database open, with other settings" in str(caught.value)


def test_a_database_of_another_thread() -> None:
    import duckdb

    with pytest.raises(hz.HanalyzeError) as caught, duckdb_errors("games.duckdb"):
        raise duckdb.Error("Resource In Use Error: connection is busy with another call; it refuses")
    assert caught.value.rule == "database_busy"
    assert str(caught.value) == (
        "games.duckdb: another thread is using this database; try again when it is done, or open the"
        " database once for each thread"
    )
