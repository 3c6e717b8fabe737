"""Logs in other formats than hanab.live's: real ones, round trips, and damage."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hanalyze import replay
from hanalyze.agents import simulate
from hanalyze.converting import convert
from hanalyze.decks import deck as deal
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.game.cards import Card
from hanalyze.logs import formats as formats_module
from hanalyze.logs import hanabi_data, hle, load, read
from hanalyze.logs.ah2ac2 import Ah2ac2Format
from hanalyze.logs.formats import WritableFormat, format_named, format_of, formats
from hanalyze.logs.opening import buffered
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay_many
from tests.shared import golden, shared

# --- which format a file is in ----------------------------------------------------------------------------

HEADS = [
    (b'{"players": ["A"], "actions": []}', "hanab-live", "a game"),
    (b'[{"players": ["A"]', "hanab-live", "an array"),
    (b"", "hanab-live", "nothing: its own error"),
    (b"Hello", "hanab-live", "no log at all: its own error"),
    (b'{"players": 2, "deck": [1], "moves": [3]}', "hle", "numbers of moves"),
    (b'{"players": ["A"], "actions": [], "notes": [["moves: ["]]}', "hanab-live", "a note that says so"),
    (b'{"x": "\\"moves\\": [", "actions": []}', "hanab-live", "a game with both words"),
    (b"Treatment: ('full', 12)\n", "hanabi-data", "the first line of a newer log"),
    (b"Old GID: 0123\nTreatment: ", "hanabi-data", "the first line of an older log"),
    (b"\x40\x01\0\0\0\0\0\0{", "ah2ac2", "safetensors"),
    (b"212acbd,03pbad,0\n", "share", "a shared string"),
    (b"\nhttps://hanab.live/shared-replay-json/212acbd,03pbad,0", "share", "a shared link"),
]


@pytest.mark.parametrize(("head", "name", "comment"), HEADS)
def test_the_format_is_told_by_the_content(head: bytes, name: str, comment: str) -> None:
    assert format_of(head).name == name, comment


def test_names() -> None:
    names = [one.name for one in formats()]
    assert len(set(names)) == len(names) >= 5
    with pytest.raises(HanalyzeError, match="one of: hanab-live, hle"):
        format_named("xml")


def test_an_installed_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A format of a package's own, as its entry point would bring it."""
    point = EntryPoint("ours", "tests.logs.test_formats:OwnFormat", formats_module.GROUP)
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [point] if group == point.group else []
    )
    formats.cache_clear()
    try:
        path = tmp_path / "game.own"
        path.write_text("OWN Alice Bob\n")
        assert load(path).players == ("Alice", "Bob")
        broken = EntryPoint("broken", "tests.logs.test_formats:nothing", formats_module.GROUP)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [broken])
        formats.cache_clear()
        with pytest.raises(HanalyzeError, match='the format "broken" cannot be loaded') as found:
            formats()
        assert found.value.rule == "bad_format"
    finally:
        monkeypatch.undo()
        formats.cache_clear()


class OwnFormat:
    name = "own"
    title = "a format of a test's own"

    def recognises(self, head: bytes) -> bool:
        return head.startswith(b"OWN ")

    def read(self, stream: io.BufferedReader, file: str) -> Any:
        yield GameRecord(players=tuple(stream.read().decode().split()[1:]), file=file)


def test_the_document_s_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CONTRIBUTING's example reads and writes games."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
    [section] = re.findall(r"^## Write a format\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    monkeypatch.setattr(formats_module, "formats", lambda: (names["Terse"](),))
    records = list(simulate("cautious", players=2, games=3, seed=4))
    path = tmp_path / "games.terse"
    with path.open("wb") as stream:
        assert convert([*records, replace(records[0], notes=(("f",),))], stream, "terse") == (4, {"notes": 1})
    path.write_bytes(path.read_bytes() + b"TERSE x\n")
    monkeypatch.undo()
    formats.cache_clear()
    outcomes = list(names["Terse"]().read(io.BytesIO(path.read_bytes()), "f"))
    assert [one.actions for one in outcomes[:3]] == [record.actions for record in records]
    assert [str(one).startswith("f, line 5: not a game") for one in outcomes[4:]] == [True]


# --- real logs --------------------------------------------------------------------------------------------


def test_the_games_of_ah2ac2() -> None:
    records = list(read(shared("logs/ah2ac2-3p-111-games.safetensors")))
    assert len(records) == 111
    theirs = {line["name"]: line["game"] for line in golden("real-3p")}
    for number, one in enumerate(replay_many(records)):
        # Two games go on after nothing could be played any more, as the site let them then.
        assert one.score == one.record.score
        assert all(defect.rule.label == "action_after_end" for defect in one.defects), number
    decks = {
        tuple((card["suitIndex"], card["rank"]) for card in game["deck"]): game for game in theirs.values()
    }
    for record in records:
        same = decks[tuple(record.deck or ())]
        actions = [(one["type"], one["target"], one.get("value", 0)) for one in same["actions"]]
        assert [tuple(one) for one in record.actions] == actions[: len(record.actions)]
        assert all(kind > 3 for kind, *_ in actions[len(record.actions) :])


COLOURS = ("green", "yellow", "white", "blue", "red")


@pytest.mark.heavy
def test_every_english_line_of_hanabi_data_is_true() -> None:
    """The program told after every move what was done and held: hold the replay against it."""
    paths = sorted(shared("logs/hanabi-data").glob("*.log"))
    records = list(read(paths))
    assert len(records) == 170
    told = 0
    for path, one in zip(paths, replay_many(records), strict=True):
        assert not one.defects
        assert one.score == one.record.score
        lines = path.read_text().splitlines()
        starts = [number for number, line in enumerate(lines) if line.startswith("MOVE: ")]
        assert len(starts) == len(one.record.actions)
        for turn, start in enumerate(starts):
            after = one.state(turn + 1)
            end = starts[turn + 1] if turn + 1 < len(starts) else len(lines)
            for line in lines[start + 1 : end]:
                if line.startswith("Score"):
                    continue
                assert _is_true(line, one, turn, after), (path.name, turn, line)
                told += 1
    assert told > 10_000


def _is_true(line: str, one: Any, turn: int, after: Any) -> bool:
    """Return whether a sentence after a turn says what the replay has."""
    named = re.findall(rf"\b({'|'.join(COLOURS)}) (\d)", line)
    cards = [Card(COLOURS.index(suit), int(rank)) for suit, rank in named]
    if line.startswith("trash is now"):
        return Counter(cards) == Counter(after.discards)
    seat = [line.startswith(name) for name in one.record.players].index(True)
    if re.match(r"\S+ (now )?has ", line):
        return [held.card for held in after.hands[seat]] == cards
    kind, target, _ = one.record.actions[turn]
    tokens = re.search(r"hints remaining: (\d)", line)
    if tokens is not None:
        return kind in (2, 3) and int(tokens[1]) == after.clue_tokens
    board = re.search(r"Board is now (.*)", line)
    heights = [int(height) for height in re.findall(r"\d", board[1])] if board else None
    return cards[0] == one.deck[target] and heights in (None, [len(stack) for stack in after.stacks])


def test_the_golden_games_of_the_learning_environment(tmp_path: Path) -> None:
    lines = golden("hle")
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    records = list(read(path))
    assert len(records) == len(lines) == 600
    for record, line in zip(records, lines, strict=True):
        again = json.loads(hle.to_json(record))
        assert {name: again[name] for name in ("deck", "moves", "score")} == {
            name: line[name] for name in ("deck", "moves", "score")
        }
    for one in replay_many(records):
        assert one.score == one.record.score
        assert not one.defects


# --- round trips ------------------------------------------------------------------------------------------


def carried(record: GameRecord, name: str) -> GameRecord:
    """Return what a format can carry of a record that has a deck and a score, by its definition."""
    usual = tuple(f"Player {seat + 1}" for seat in range(len(record.players)))
    site = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")[: len(record.players)]
    plain = replace(record, notes=(), seed=None, shuffle=None, file=None, line=None)
    return {
        "hanab-live": lambda: record,
        "hle": lambda: replace(plain, edition="hle", source=None),
        "ah2ac2": lambda: replace(
            plain, players=usual, edition=None, source="AH2AC2", id=-1 if record.id is None else record.id
        ),
        "share": lambda: replace(plain, players=site, edition=None, source=None, id=None, score=None),
    }[name]()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", [one.name for one in formats() if isinstance(one, WritableFormat)])
def test_what_a_format_carries_comes_back(name: str, players: int) -> None:
    records = [
        replace(record, deck=replay(record).deck, score=replay(record).score, notes=(("a",),), id=number)
        for number, record in enumerate(simulate("random", players=players, games=40, seed=players))
    ]
    stream = io.BytesIO()
    done = convert(records, stream, name)
    assert done.games == len(records)
    again = list(format_named(name).read(buffered(io.BytesIO(stream.getvalue())), "-"))
    assert again == [carried(record, name) for record in records]
    twice = io.BytesIO()
    convert([one for one in again if isinstance(one, GameRecord)], twice, name)
    assert twice.getvalue() == stream.getvalue()


@pytest.mark.parametrize("variant", ["6 Suits", "Rainbow (5 Suits)", "Up or Down (5 Suits)"])
def test_variants_come_back_where_they_have_a_place(variant: str) -> None:
    records = list(simulate("random", players=3, variant=variant, games=10, seed=3))
    for name in ("hanab-live", "share"):
        stream = io.BytesIO()
        assert convert(records, stream, name).games == 10
        again = list(format_named(name).read(buffered(io.BytesIO(stream.getvalue())), "-"))
        for one, record in zip(again, records, strict=True):
            assert isinstance(one, GameRecord)
            assert (one.variant, one.actions) == (variant, record.actions)
    for name in ("hle", "ah2ac2"):
        problems: list[HanalyzeError] = []
        assert convert(records, io.BytesIO(), name, on_error=problems.append).games == 0
        assert len(problems) == 10
        with pytest.raises(LogError):
            convert(records, io.BytesIO(), name)


def test_small_games_of_the_learning_environment() -> None:
    """Its smallest game: one colour, hands of 4, one life, 3 tokens; written as it was read."""
    config = {"colors": 1, "hand_size": 4, "max_information_tokens": 3, "max_life_tokens": 1}
    line = {"names": ["A", "B"], "deck": [0, 0, 0, 1, 1, 2, 2, 3, 3, 4], "config": config, "moves": [4, 8]}
    record = hle.parse(json.dumps(line).encode())
    assert (record.edition, record.variant) == ("hle+clue_tokens=3+strikes=1+hand_size_change=-1", "R")
    assert record.actions == [(0, 0, 0), (2, 0, 0)]
    assert json.loads(hle.to_json(record)) == line


def test_what_is_lost_is_counted() -> None:
    # The players of `simulate` are called as the site calls those of shared games.
    [record] = simulate("cautious", players=2, games=1, seed=1)
    done = convert([record, replace(record, id=7)], io.BytesIO(), "share")
    assert done == (2, {"seed": 2, "source": 2, "score": 2, "id": 1})


def test_games_for_another_number_of_players_have_no_place_among_arrays() -> None:
    records = [next(iter(simulate("cautious", players=players, games=1, seed=1))) for players in (3, 2, 3)]
    problems: list[HanalyzeError] = []
    stream = io.BytesIO()
    assert convert(records, stream, "ah2ac2", on_error=problems.append).games == 2
    assert ["2 players, but the first game has 3" in str(problem) for problem in problems] == [True]
    assert len(list(Ah2ac2Format().read(buffered(io.BytesIO(stream.getvalue())), "-"))) == 2


# --- damage -----------------------------------------------------------------------------------------------

GOOD = {"players": 2, "seed": 1, "moves": [15, 0]}
BAD_HLE = [
    ({"players": 7}, "7 players", "too many players"),
    ({"players": None}, "0 players", "nobody says how many play"),
    ({"names": ["A"]}, "1 names for 2", "a name is missing"),
    ({"seed": None}, "needs a deck or a seed", "neither deck nor seed"),
    ({"deck": [1] * 50}, "not both", "deck and seed"),
    ({"moves": [20]}, "no move", "beyond the last number"),
    ({"moves": [-1]}, "no move", "no move at all"),
    ({"moves": [1.5]}, "not a game", "half a move"),
    ({"moves": None}, "not a game", "no list of moves"),
    ({"first_player": 2}, "first_player", "a seat that there is not"),
    ({"config": {"ranks": 4}}, "4 ranks", "other ranks"),
    ({"config": {"colours": 4}}, "not a game", "a parameter that nobody knows"),
    ({"config": {"colors": 3}}, "give the deck", "a seed deals five colours"),
    ({"config": {"hand_size": 9}}, "hand_size_change", "hands that are too large"),
    ({"config": {"max_life_tokens": 0}}, "strikes", "no life at all"),
    ({"seed": None, "deck": [25]}, "25 is no card", "a colour that there is not"),
    ({"seed": None, "deck": list(range(12)), "moves": [4, 0, 4, 4, 4]}, "no such card", "an empty place"),
]


@pytest.mark.parametrize(("change", "said", "comment"), BAD_HLE)
def test_bad_games_of_the_learning_environment(change: dict[str, Any], said: str, comment: str) -> None:
    line = {name: value for name, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(LogError) as found:
        hle.parse(json.dumps(line).encode(), file="f", line=3)
    assert found.value.rule == "bad_hle", comment
    assert said in str(found.value), comment
    assert str(found.value).startswith("f, line 3: ")


def data_log(*moves: str, deck: str | None = None, score: str = "Score 0") -> str:
    cards = deal("5", shuffle="hanabi-data")
    listed = str([tuple(card) for card in cards[10:]]) if deck is None else deck
    return "\n".join(["Treatment: ('full', 5)", listed, *(f"MOVE: {move}" for move in moves), score])


BAD_DATA = [
    ("Treatment: full", 1, "seed are missing", "no seed"),
    (data_log(deck="[(0, 1)]"), 2, "not the cards", "another deck"),
    (data_log("0 2 5 None None None"), 3, "place 5", "a place beyond the hand"),
    (data_log("0 2 None None None None"), 3, "no card", "no place"),
    (data_log("1 2 0 None None None"), 3, "other's turn", "the wrong player"),
    (data_log("0 7 0 None None None"), 3, "does not say", "a kind that there is not"),
    (data_log("0 1 None 1 None None"), 3, "does not say", "a clue without a rank"),
    (data_log("0 1 None"), 3, "no move", "a line cut off"),
    (data_log("0 2 0 None None None", score=""), 3, "before the score", "cut off before the score"),
    (data_log() + "\nMOVE: 0 2 0 None None None", 4, "after the score", "a move too many"),
]


@pytest.mark.parametrize(("text", "line", "said", "comment"), BAD_DATA)
def test_bad_logs_of_hanabi_data(text: str, line: int, said: str, comment: str) -> None:
    with pytest.raises(LogError) as found:
        hanabi_data.parse(text.encode(), file="f")
    assert said in str(found.value), comment
    assert str(found.value).startswith(f"f, line {line}: "), comment


def test_a_log_of_hanabi_data_with_other_line_ends() -> None:
    text = data_log("0 2 0 None None None", "1 3 2 1 None None")
    assert hanabi_data.parse(text.encode()) == hanabi_data.parse(text.replace("\n", "\r\n").encode())


def packed(change: Callable[[dict[str, Any]], object]) -> bytes:
    numpy = pytest.importorskip("safetensors.numpy")
    stream = io.BytesIO()
    convert(simulate("cautious", players=3, games=3, seed=1), stream, "ah2ac2")
    arrays = numpy.load(stream.getvalue())
    change(arrays)
    result: bytes = numpy.save(arrays)
    return result


BAD_ARRAYS: list[tuple[Callable[[dict[str, Any]], object], int, str, str]] = [
    (lambda arrays: arrays.pop("scores"), 0, "no array scores", "an array is missing"),
    (lambda arrays: arrays.update(decks=arrays["decks"][:2]), 0, "do not fit", "fewer decks than games"),
    (lambda arrays: arrays.update(decks=arrays["decks"][..., 0]), 0, "array decks", "no ranks"),
    (lambda arrays: arrays["num_actions"].__setitem__(1, 999), 2, "999 turns", "more turns than rows"),
    (lambda arrays: arrays["num_actions"].__setitem__(1, 5), 2, "one after the other", "moves after the end"),
    (lambda arrays: arrays["actions"].__setitem__((1, 0, 1), 3), 2, "one after the other", "two at once"),
    (lambda arrays: arrays["decks"].__setitem__((1, 0), (5, 0)), 2, "25 is no card", "a suit too many"),
]


@pytest.mark.parametrize(("change", "games", "said", "comment"), BAD_ARRAYS)
def test_bad_arrays(
    change: Callable[[dict[str, Any]], object], games: int, said: str, comment: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.safetensors"
    path.write_bytes(packed(change))
    problems: list[LogError] = []
    assert len(list(read(path, on_error=problems.append))) == games, comment
    assert [said in str(problem) for problem in problems] == [True], (comment, problems)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_whatever_follows_the_head_is_one_error_or_a_game(rest: bytes) -> None:
    for head in (
        b"Treatment: ('full', 5)\n",
        b"\x40\x01\0\0\0\0\0\0{",
        b'{"players": 2, "moves": [',
        b"212acbd,03",
    ):
        chosen = format_of(head)
        for outcome in chosen.read(buffered(io.BytesIO(head + rest)), "f"):
            assert isinstance(outcome, GameRecord) or str(outcome).startswith("f"), outcome


def test_files_are_found_in_folders(tmp_path: Path) -> None:
    (tmp_path / "one.log").write_text(data_log("0 2 0 None None None"))
    (tmp_path / "server.log").write_text("started\n")
    (tmp_path / "notes.txt").write_text("buy milk")
    (tmp_path / "shared.txt").write_text("212acbd,03pbad,0\n")
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    records = list(read(tmp_path))
    assert [Path(record.file or "").name for record in records] == ["one.log", "shared.txt", "two.jsonl.gz"]
    assert records[0].deck is None
    assert records[1].deck == [Card(0, 1), Card(1, 1), Card(0, 2), Card(1, 2)]
