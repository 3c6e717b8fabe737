"""Mistakes: what must hold of every game, whichever it is, and the definitions as files.

The points of a game add up; what a player *knew* is certain in the knowledge; names of suits and seats change
nothing; perfect games have none that cost a point. Single positions are judged in `test_mistake_cases.py`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.chances.model_choice import FEWEST
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.logs import GameRecord, read, write
from hanalyze.replaying import replay
from hanalyze.report.game.game_mistakes import mistakes as one_game
from hanalyze.store import Database, connect
from hanalyze.store.definition_queries import COLUMNS, OPTIONAL
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.mistakes import _ENDANGERED_CHOPS, BLAMELESS, SEVERITIES
from hanalyze.store.schema import sql_text
from hanalyze.store.wording import worded
from tests.cases.positions import Log, record as record_of
from tests.shared import golden
from tests.slow_views import played
from tests.store.logs import games

SAMPLES = Path(__file__).parents[2] / "sample_logs"
QUICK = {("random", 2), ("cautious", 3)}  # the other sizes are tried with what takes longer


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The sample games, simulated ones of every agent, and the golden games where they are."""
    folder = tmp_path_factory.mktemp("many")
    for agent in ("random", "cautious", "cheating"):
        for players in (2, 3, 5):
            write(games(15, players, agent=agent), folder / f"{agent}{players}.jsonl")
    write(games(20, 4, variant="Up or Down (5 Suits)", agent="random"), folder / "ways.jsonl")
    write(games(20, 4, variant="Sudoku (5 Suits)", agent="random"), folder / "sudoku.jsonl")
    with connect() as db:
        db.ingest([folder, SAMPLES])
        yield db


def unaccounted(db: Database) -> pl.DataFrame:
    """Return the games of which the points do not add up."""
    return db.sql(
        """
        SELECT game_id, any_value(full_score - max_score) AS missing,
            coalesce(sum(points) FILTER (kind <> 'discard_out_of_pace'), 0) AS lost,
            coalesce(sum(points) FILTER (kind = 'discard_out_of_pace'), 0) AS wasted,
            any_value(max_score - raw_score) AS unplayed
        FROM games LEFT JOIN mistakes USING (game_id)
        GROUP BY game_id HAVING missing <> lost OR wasted > unplayed
        """
    )


def test_points_add_up(many: Database) -> None:
    assert unaccounted(many).is_empty()
    assert many.sql("SELECT count(*) FROM games").item() > 200
    assert many.sql("SELECT sum(points) FROM mistakes").item() > 100


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["variants", "real-3p"])
def test_points_of_golden_games_add_up(name: str, tmp_path: Path) -> None:
    lines = "".join(json.dumps(line["game"]) + "\n" for line in golden(name))
    (tmp_path / "games.jsonl").write_text(lines)
    with connect() as db:
        summary = db.ingest(tmp_path / "games.jsonl")
        assert summary.stored == summary.read == lines.count("\n")
        assert unaccounted(db).is_empty()
        _knew_is_certain(db)


def test_points_of_no_game_are_counted_twice(many: Database) -> None:
    kinds = many.sql("SELECT DISTINCT kind FROM mistakes WHERE points > 0")["kind"].to_list()
    assert sorted(kinds) == [
        "discard_last_copy",
        "discard_out_of_pace",
        "discard_unsaved",
        "misplay",
        "play_narrows",
    ]
    # A discard at zero pace may also leave a card unsaved, which are two points.
    twice = """SELECT game_id, turn FROM mistakes WHERE points > 0 AND kind <> 'discard_out_of_pace'
        GROUP BY ALL HAVING count(*) > 1"""
    assert many.sql(twice).is_empty()


def test_points_are_charged_to_one_decision(many: Database) -> None:
    """To the row that has the points, if somebody is to blame; a loss names the decision that was charged."""
    rows = many.mistakes().with_columns(blamed=~pl.col("severity").is_in(BLAMELESS))
    own = (pl.col("charged_turn") == pl.col("turn")) & (pl.col("charged_seat") == pl.col("seat"))
    assert rows.filter((pl.col("points") > 0) & pl.col("blamed")).select(own.all()).item()
    assert rows.filter((pl.col("points") > 0) & ~pl.col("blamed"))["charged_turn"].is_null().all()
    elsewhere = rows.filter((pl.col("points") == 0) & pl.col("charged_turn").is_not_null())
    charged = rows.filter(pl.col("points") > 0).select("game_id", "charged_turn", "charged_seat")
    assert elsewhere.height > 10
    assert elsewhere.join(charged, on=charged.columns, how="anti").is_empty()


def test_rows_are_as_they_are_published(many: Database) -> None:
    frame = many.mistakes()
    assert frame.columns == ["game", "player", *COLUMNS, "names"]
    assert set(frame["severity"]) <= set(SEVERITIES)
    assert set(frame["kind"]) <= set(definitions())
    assert frame.select(pl.col("evidence").is_null().any()).item() is False
    assert frame.select(pl.struct("game_id", "turn", "seat", "kind").is_duplicated().any()).item() is False
    actors = many.sql(
        "SELECT count(*) FROM mistakes m JOIN turns t USING (game_id, turn) WHERE t.seat = m.seat"
    )
    assert actors.item() == frame.height
    assert set(many.mistakes("misplay")["kind"]) == {"misplay"}


CERTAIN = {
    "discard_last_copy": "p_critical = 1",
    "discard_five": "p_trash = 0",
    "discard_playable": "p_playable = 1",
    "discard_over_play": "known_playable > 0 AND best_p_playable = 1",
    "discard_clued": "p_trash = 0",
    "discard_kept": "p_trash = 0",
    "discard_out_of_pace": "pace_before <= 0",
    "discard_bottom_deck": "possibilities = 1",
    "discard_unsaved": "could_clue AND (next_chop_critical OR other_chop_critical OR NOT forced)",
    "misplay": "p_playable = 0",
    "play_missed": "best_p_playable = 1",
    "play_narrows": "possibilities = 1",
    "clue_bad_touch": "result = 'clued'",
    "clue_no_news": "result = 'clued'",
    "tokens_wasted": "result = 'played'",
}


def _knew_is_certain(db: Database) -> None:
    certain = " ".join(f"WHEN '{kind}' THEN {condition}" for kind, condition in CERTAIN.items())
    found = db.sql(
        f"""SELECT m.kind, m.turn FROM mistakes m JOIN decisions d USING (game_id, turn)
        WHERE m.severity = 'knew' AND NOT (CASE m.kind {certain} END)"""
    )
    assert found.rows() == []


def test_knew_is_certain(many: Database) -> None:
    _knew_is_certain(many)
    knew = set(many.sql("SELECT DISTINCT kind FROM mistakes WHERE severity = 'knew'")["kind"])
    assert knew <= set(CERTAIN)
    # Where one card could be nothing but what it was, a player who lost a point by it knew.
    assert (
        many.sql(
            """SELECT count(*) FROM mistakes m JOIN decisions d USING (game_id, turn)
        WHERE m.kind = 'discard_last_copy' AND d.possibilities = 1 AND m.severity NOT IN ('knew', 'forced')"""
        ).item()
        == 0
    )


@pytest.mark.parametrize(
    ("last", "end", "came_true", "evidence"),
    [
        (
            "y5 y2",
            "d1",
            True,
            "the only other copy was card 10 of the 10 left in the deck, and was discarded on turn 23",
        ),
        (
            "y2 y5",
            "c1:y",
            False,
            "the only other copy was card 9 of the 10 left in the deck, and was discarded on turn 21",
        ),
    ],
)
def test_a_last_copy_that_came_in_time_was_not_at_the_bottom(
    last: str, end: str, came_true: bool, evidence: str
) -> None:
    """Ann discards y2 and draws each turn, Ben clues; the other y2 comes last or last but one, and goes."""
    deck = "y2 r1 r1 r1 r2 y1 y1 y1 y3 y3 r2 r3 r3 r4 r4 r5 y4 y4 " + last
    turns = " ".join(["c1:y c0:r", *["d5 c0:r"] * 9, f"{'d5' if came_true else 'd1'} c0:r", end])
    with connect() as db:
        db.add([record_of(Log(2, "R+Y", "", "", deck, turns), 0)])
        [row] = db.sql("FROM mistakes WHERE kind = 'discard_bottom_deck' AND turn = 2").to_dicts()
    assert row["came_true"] is came_true
    assert worded({**row, "names": ["Ann", "Ben"]})[0] == f"discarded y2 from slot 5; {evidence}"


def test_a_discard_after_the_result_is_settled_is_no_mistake() -> None:
    """Every card still needed is clued and the pace is above 0: the card known to be playable may wait."""
    with connect() as db:
        db.add(simulate("conventional", players=3, games=1, seed=1596))
        moves = db.sql("SELECT turn, result, one_choice, known_playable FROM decisions")
        assert (53, "discarded", "settled", 1) in moves.rows()
        assert db.mistakes().filter(turn=53).is_empty()


@pytest.mark.parametrize("lucky", [False, True])
def test_every_exposed_chop_is_endangered(lucky: bool) -> None:
    """The quick query, which spares most games the slower one, leaves out no turn of it."""
    with connect() as db:
        db.add(simulate("conventional", players=3, games=60, seed=1))
        db.prepare_decisions()
        exposed = f"SELECT game_id, turn FROM ({sql_text('exposed_chops')}) WHERE lucky = {lucky}"
        found = set(db.connection.execute(exposed).fetchall())
        endangered = _ENDANGERED_CHOPS.format("decisions").replace("LIMIT 1", "")
        assert found
        assert found <= set(db.connection.execute(endangered).fetchall())


def test_perfect_games_have_no_mistake_that_cost_points(tmp_path: Path) -> None:
    """A player with open cards does what its own view would not allow; only such kinds may show."""
    write(games(300, 3, agent="cheating"), tmp_path / "games.jsonl")
    with connect() as db:
        db.ingest(tmp_path / "games.jsonl")
        rows = db.sql(
            """SELECT m.kind, m.severity, m.points FROM mistakes m JOIN games g USING (game_id)
            WHERE g.score = g.full_score"""
        )
        assert db.sql("SELECT count(*) FROM games WHERE score = full_score").item() > 200
    assert rows["points"].sum() == 0
    assert set(rows["kind"]) <= {
        # It stalls with any clue, and knows by looking what its clues would have to tell it.
        "clue_bad_touch",
        "clue_needless",
        "clue_no_news",
        "discard_unsaved",
        "play_missed",
        "tokens_wasted",
        # It discards what it sees to be spare.
        "discard_bottom_deck",
        "discard_clued",
        "discard_double",
        "discard_over_trash",
        "discard_over_play",
        "discard_out_of_pace",
        "discard_playable",
        "discard_five",
    }
    assert not {"misplay", "discard_last_copy"} & set(rows["kind"])
    assert set(rows.filter(pl.col("kind") == "discard_unsaved")["severity"]) <= {"lucky"}


# --- names change nothing ---------------------------------------------------------------------------------


def verdicts(path: Path, records: list[GameRecord]) -> list[list[tuple[object, ...]]]:
    """Return the mistakes of games, in the order of the games, without the words."""
    found = []
    for record in records:
        write([record], path)
        with connect() as db:
            db.ingest(path)
            frame = db.mistakes().drop("game_id", "evidence", *OPTIONAL, "game", "player", "names")
            found.append(frame.sort(frame.columns).rows())
    return found


def relabelled(record: GameRecord, seed: int) -> GameRecord:
    """Return the game with other names for its suits (of No Variant, where all are alike)."""
    suits = list(range(5))
    random.Random(seed).shuffle(suits)
    assert record.deck is not None
    actions = [
        Action(one.kind, one.target, suits[one.value]) if one.kind == 2 else one for one in record.actions
    ]
    deck = tuple(Card(suits[card.suit], card.rank) for card in record.deck)
    return replace(record, deck=deck, actions=tuple(actions), seed=None)


def rotated(record: GameRecord, by: int) -> GameRecord:
    """Return the game with everybody some seats further on."""
    seats = len(record.players)
    assert record.deck is not None
    size = {2: 5, 3: 5, 4: 4, 5: 4}[seats]
    places = {seat * size + i: (seat + by) % seats * size + i for seat in range(seats) for i in range(size)}
    deck = list(record.deck)
    for old, new in places.items():
        deck[new] = record.deck[old]
    actions = [
        Action(one.kind, places.get(one.target, one.target), one.value)
        if one.kind in (0, 1)
        else Action(one.kind, (one.target + by) % seats, one.value)
        if one.kind in (2, 3)
        else one
        for one in record.actions
    ]
    players = [record.players[(seat - by) % seats] for seat in range(seats)]
    return replace(
        record,
        deck=tuple(deck),
        actions=tuple(actions),
        players=tuple(players),
        seed=None,
        options=record.options._replace(starting_player=by),
    )


@pytest.mark.parametrize(
    ("agent", "players"),
    [
        pytest.param(agent, players, marks=() if (agent, players) in QUICK else pytest.mark.heavy)
        for agent in ("random", "cautious", "cheating")
        for players in (2, 3, 4)
    ],
)
def test_names_of_suits_and_seats_change_nothing(agent: str, players: int, tmp_path: Path) -> None:
    [record] = games(1, players, seed=11, agent=agent)
    plain, others, moved = verdicts(
        tmp_path / "game.jsonl", [replace(record, seed=None), relabelled(record, 3), rotated(record, 1)]
    )
    assert plain
    assert others == plain
    seats = len(record.players)
    assert sorted((turn, (seat - 1) % seats, *rest) for turn, seat, *rest in moved) == sorted(plain)


@pytest.mark.heavy
@settings(max_examples=12)
@given(played())
def test_any_game_adds_up(record: GameRecord) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, connect() as db:
        write([record], Path(folder) / "game.jsonl")
        db.ingest(Path(folder) / "game.jsonl")
        assert unaccounted(db).is_empty()
        _knew_is_certain(db)


# --- definitions as files ---------------------------------------------------------------------------------


def test_every_definition_says_what_it_is(many: Database) -> None:
    assert len(definitions()) == 22
    for kind, one in definitions().items():
        assert one.kind == kind
        assert one.family in {"discard", "play", "clue"}
        assert one.title
        assert one.definition.endswith(".")
        assert one.source
        assert "$" not in one.query + one.where + one.definition
        # The condition is one on a row of the view.
        assert many.sql(f"SELECT count(*) FROM decisions WHERE {one.where}").item() >= 0
        for threshold in one.thresholds:
            assert f"${threshold}" in one.text
    assert set(SEVERITIES) > BLAMELESS


MINE = """-- Played blind
--
-- definition: A card that no clue had touched was played, with a chance of less than $least.
-- opportunity: plays
-- where: action = 'play'
-- threshold least = 0.9: least chance
SELECT game_id, turn, seat, 'blind' AS kind, 'gamble' AS severity, 0 AS points, 0 AS tokens, 0 AS pace,
    'chance ' || p_playable AS evidence
FROM decisions WHERE action = 'play' AND NOT clued AND p_playable < $least;
"""


@pytest.mark.heavy
def test_a_folder_of_ones_own(many: Database, tmp_path: Path) -> None:
    (tmp_path / "blind.sql").write_text(MINE)
    (tmp_path / "misplay.sql").write_text(MINE.replace("'blind'", "'misplay'"))
    found = many.mistakes("blind", folder=tmp_path)
    slow = many.sql("SELECT count(*) FROM turns WHERE action = 'play' AND NOT clued AND p_playable < 0.9")
    assert found.height == slow.item() > 0
    assert set(many.mistakes("misplay", folder=tmp_path)["evidence"]) <= set(found["evidence"])
    assert many.mistakes("misplay")["evidence"][0].startswith("played ")
    assert set(found["kind"]) == {"blind"}
    # It names no better move, so it has that of the turn.
    turns = ["game_id", "turn", "better_kind", "better_slot"]
    advised = many.sql("SELECT game_id, turn, better_kind, better_slot FROM better_moves")
    given = many.mistakes("discard_unsaved").select("game_id", "turn")
    others = found.join(given, on=given.columns, how="anti").select(turns)
    assert others.join(advised, on=turns, how="anti", nulls_equal=True).is_empty()


def test_a_definition_that_replaces_ours_keeps_its_family_and_its_chance(tmp_path: Path) -> None:
    for kind in ("misplay", "discard_five"):
        (tmp_path / f"{kind}.sql").write_text(MINE)
    (tmp_path / "discard_clued.sql").write_text(MINE.replace("-- where", "-- chance: p_critical\n-- where"))
    known = {kind: (one.family, one.chance) for kind, one in definitions(tmp_path).items() if one.file}
    assert known == {
        "misplay": ("play", "p_playable"),
        "discard_five": ("discard", "p_critical"),
        "discard_clued": ("discard", "p_critical"),
    }


def test_a_definition_of_ones_own_has_values_and_a_better_move(many: Database, tmp_path: Path) -> None:
    own = """'played {card}, {p_playable} likely' AS evidence,
    {'card': card, 'p_playable': p_playable} AS evidence_values, 'clue' AS better_kind"""
    (tmp_path / "blind.sql").write_text(MINE.replace("'chance ' || p_playable AS evidence", own))
    row = many.mistakes("blind", folder=tmp_path).row(0, named=True)
    card, chance = many.sql(
        "SELECT card, p_playable FROM decisions WHERE game_id = ? AND turn = ?", [row["game_id"], row["turn"]]
    ).row(0)
    assert worded(row) == (f"played {card}, {int(100 * chance + 0.5)}% likely", "give any clue")


@pytest.mark.parametrize(
    ("name", "text", "rule", "comment"),
    [
        ("blind.sql", MINE.replace("definition", "meaning"), "bad_definition", "no definition"),
        ("blind.sql", MINE.replace("-- where: action = 'play'\n", ""), "bad_definition", "no condition"),
        (
            "blind.sql",
            MINE.replace("-- threshold least = 0.9: least chance\n", ""),
            "bad_definition",
            "a gap",
        ),
        ("blind.sql", MINE.replace("-- where", "-- chance: p_luck\n-- where"), "bad_definition", "no chance"),
        ("Blind Plays.sql", MINE, "bad_definition", "not a name"),
        ("blind.sql", "", "bad_definition", "empty"),
        ("blind.txt", MINE, "no_file", "no definition in the folder"),
        ("blind.sql", MINE.replace("FROM decisions", "FROM decision"), "bad_definition", "no such table"),
        ("blind.sql", MINE.replace("SELECT game_id", "SELECT\n  game_id,,"), "bad_definition", "no SQL"),
        ("blind.sql", MINE.replace(" AS evidence", ""), "bad_definition", "no such column"),
        ("blind.sql", MINE.replace("0 AS pace,", ""), "bad_definition", "a column is missing"),
        (
            "blind.sql",
            MINE.replace("where: action", "where: acton"),
            "bad_definition",
            "a condition on no column",
        ),
    ],
)
def test_broken_definitions(
    many: Database, tmp_path: Path, name: str, text: str, rule: str, comment: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(HanalyzeError) as caught:
        many.mistakes(folder=tmp_path)
    assert caught.value.rule == rule, comment
    assert str(caught.value).isprintable()
    assert caught.value.file == str(tmp_path / name if rule == "bad_definition" else tmp_path)


@pytest.mark.heavy
def test_kinds_and_families(many: Database) -> None:
    every = many.mistakes()["kind"]
    for family in FAMILIES:
        kinds = {kind for kind, one in definitions().items() if one.family == family}
        found = many.mistakes(family)["kind"]
        assert found.sort().equals(every.filter(every.is_in(list(kinds))).sort())
    both = many.mistakes("play", "clue-bad-touch")["kind"]
    kinds = {kind for kind, one in definitions().items() if one.family == "play"} | {"clue_bad_touch"}
    assert both.len() > 0
    assert both.sort().equals(every.filter(every.is_in(list(kinds))).sort())


@pytest.mark.heavy
@pytest.mark.parametrize("as_table", [True, pytest.param(False, marks=pytest.mark.heavy)])
def test_decisions_as_a_table_give_the_same(many: Database, as_table: bool) -> None:
    # Again, as what was there before gives way.
    for table in (not as_table, as_table):
        many.prepare(as_table=table)
    query = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'mistakes'"
    assert many.sql(query, temporary=True).item() == as_table
    own = many.sql("FROM mistakes ORDER BY game_id, turn, kind, evidence, evidence_values", temporary=True)
    assert own.equals(many.mistakes().select(own.columns))


@pytest.mark.heavy
@pytest.mark.parametrize("level", [0, 25])
def test_no_definition_is_left_out_of_one_game(level: int) -> None:
    """One game is judged without the definitions that no decision can match; the views need all of them."""
    records = [*read([SAMPLES / "games.jsonl"])][: FEWEST - 1]  # judged by the default model of chances
    with connect() as db:
        db.add(records)
        if level:
            db.read_conventions(level)
        db.judge(by_logic=not level, level=level or None)
        db.prepare(as_table=False, names=True)
        query = "FROM mistakes ORDER BY game_id, turn, kind, evidence, evidence_values"
        every = db.sql(query, temporary=True)
    of_games = [one_game(replay(record), level=level) for record in records]
    assert every.equals(pl.concat(of_games).sort("game_id", maintain_order=True).select(every.columns))


def test_an_unknown_kind(many: Database) -> None:
    with pytest.raises(HanalyzeError, match=r"did you mean .misplay."):
        many.mistakes("misply")


HEAD = """-- Read a file
--
-- definition: nothing good
-- opportunity: all
-- where: {}
"""
ROW = (
    "SELECT 1 AS game_id, 1 AS turn, 0 AS seat, 'spy' AS kind, 'knew' AS severity, 0 AS points, 0 AS tokens,"
)
ROW += " 0 AS pace, {} AS evidence"


@pytest.mark.parametrize(
    ("where", "query"),
    [
        ("true", ROW.format("(SELECT content FROM read_text('{}/secret.txt'))")),
        ("true", ROW.format("(SELECT any_value(file) FROM glob('{}/*'))")),
        ("true", ROW.format("''") + "; COPY games TO '{}/out.csv'; " + ROW.format("''")),
        ("true", ROW.format("''") + ") ; COPY games TO '{}/out.csv'; SELECT * FROM (" + ROW.format("''")),
        ("true", "COPY games TO '{}/out.csv'"),
        ("true; COPY games TO '{}/out.csv'", ROW.format("''")),
        ("true); COPY games TO '{}/out.csv'; SELECT (1", ROW.format("''")),
        ("(SELECT count(*) FROM read_text('{}/secret.txt')) > 0", ROW.format("''")),
        ("true", "DELETE FROM games"),
        ("true", "ATTACH '{}/other.duckdb'"),
    ],
)
def test_a_definition_only_asks(tmp_path: Path, where: str, query: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "own").mkdir()
    text = HEAD.format(where.format(tmp_path)) + query.format(tmp_path) + "\n"
    (tmp_path / "own" / "spy.sql").write_text(text)
    for how in ({}, {"files_in": []}):
        with connect(tmp_path / "games.duckdb", **how) as db:
            before = db.games().height
            for ask in (
                lambda db: db.mistakes("spy", folder=tmp_path / "own"),
                lambda db: db.sql("FROM mistakes", folder=tmp_path / "own"),
            ):
                with pytest.raises(HanalyzeError) as caught:
                    ask(db)
                assert "\n" not in str(caught.value)
                assert caught.value.rule == "bad_definition"
            assert db.games().height == before
    assert {path.name for path in tmp_path.iterdir()} == {"secret.txt", "own", "games.duckdb"}
