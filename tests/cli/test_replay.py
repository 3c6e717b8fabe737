"""`hanalyze replay`: the table, the JSON, the choice of games, exit codes."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import msgspec
import pytest

from hanalyze.agents import simulate
from hanalyze.logs import GameRecord, read, to_json
from hanalyze.replaying import replay
from tests.building import game
from tests.cli.running import hanalyze, saved

SHORT = game(
    "clue 1 red, play 5, play 0, discard 9, discard 4",
    "r1 r3 g1 b4 g3 r1 y4 b2 r2 y4 p1 p5 y2",
    seed="x",
)


# Worked by hand: the second r1 is a misplay, and with all tokens there Alice may not discard. The seed deals
# other cards.
TABLE = """\
game x (games.jsonl, line 1)
players   Alice, Bob
rules     variant No Variant, edition hanab-live, seed x

turn  player  action                         drew  stacks          score  clues  strikes  deck  pace
   1  Alice   clues Bob red (slots 2, 5)           r0 y0 g0 b0 p0   0/25      7        0    40    17
   2  Bob     plays r1 from slot 5           p1    r1 y0 g0 b0 p0   1/25      7        0    39    17
   3  Alice   plays r1 from slot 5, misplay  p5    r1 y0 g0 b0 p0   1/25      7        1    38    16
   4  Bob     discards y4 from slot 2        y2    r1 y0 g0 b0 p0   1/25      8        1    37    15
   5  Alice   discards g3 from slot 2        r1    r1 y0 g0 b0 p0   1/25      8        1    36    14

result    1 of 25 points; ended: unfinished
defect    a deck other than the one that its seed deals: seed x is ignored [deck_differs_from_seed]"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, SHORT, *simulate("cautious", players=3, games=3, seed=7))
    return Path("games.jsonl")


def test_the_table_of_a_short_game(file: Path) -> None:
    ran = hanalyze("replay", file, "--nth", "1")
    assert ran.code == 0
    assert ran.err == ""
    text, _, last = ran.out.rstrip("\n").rpartition("\n")
    assert text == TABLE
    assert last == (
        "defect    turn 5: a discard with all clue tokens available: Alice discards the card of order 4, of a"
        " deck of 50 [discard_at_full_tokens]"
    )


def test_the_same_at_80_columns(file: Path) -> None:
    ran = hanalyze("replay", file, "--nth", "1", columns=80)
    assert ran.lines[4:7] == [
        "# player action                        drew r y g b p score clu str deck pace",
        "1 Alice  clues Bob red (2,5)                0 0 0 0 0  0/25   7   0   40   17",
        "2 Bob    plays r1 from slot 5          p1   1 0 0 0 0  1/25   7   0   39   17",
    ]
    assert all(len(line) <= 80 for line in ran.lines[:11])


@pytest.mark.parametrize("columns", [50, 60, 70, 80, 90, 100, 120, 200])
def test_the_table_fits(tmp_path: Path, columns: int) -> None:
    six = GameRecord(players=("a_rather_long_name", "a_rather_long_game", "花火花火花火花火", "d", "e", "f"))
    records = [
        *simulate("cautious", players=3, games=5, fast=False),
        *simulate("random", players=5, games=5, variant="Sudoku (5 Suits)", fast=False),
        *simulate("random", players=4, games=5, variant="Up or Down & Rainbow (6 Suits)", fast=False),
        *(
            msgspec.structs.replace(one, players=six.players)
            for one in simulate("cautious", players=6, games=5, variant="6 Suits", fast=False)
        ),
    ]
    ran = hanalyze("replay", saved(tmp_path, *records), columns=columns)
    assert ran.code == 0
    from rich.cells import cell_len

    rows = [line for line in ran.lines if re.match(r" *(\d+|turn|#) ", line)]
    assert len(rows) > 20 * 20
    widest = max(map(cell_len, rows))
    assert widest <= columns
    if columns >= 120:
        assert any("(slots 1, 2)" in row for row in rows)


def test_pace_and_halves_of_tokens(tmp_path: Path) -> None:
    record = game("clue 1 1, discard 5, clue 1 2 * 1", variant="Clue Starved (5 Suits)")
    ran = hanalyze("replay", saved(tmp_path, record))
    clues = [line.split()[-4] for line in ran.lines[5:8]]
    assert clues == ["7", "7.5", "6.5"]


def test_stacks_show_their_top_cards(tmp_path: Path) -> None:
    record = game("play 0, play 5", "w5 r1 r1 r1 r2 w4", variant="White Reversed (5 Suits)")
    ran = hanalyze("replay", saved(tmp_path, record))
    assert "r0 y0 g0 b0 w4" in ran.lines[6]


def test_edition_of_the_command_line_and_rating(file: Path) -> None:
    ran = hanalyze("replay", file, "--nth", "2", "--edition", "cocktail+strikes=2")
    assert "edition cocktail+strikes=2" in ran.out
    assert re.search(r"rating: \w+\n", ran.out)
    line = hanalyze("replay", file, "--nth", "2", "--edition", "cocktail+strikes=2", "--json").out
    found = json.loads(line)
    assert found["edition"] == "cocktail+strikes=2"
    assert found["rating"] in ran.out


def test_options_that_change_play_are_told(tmp_path: Path) -> None:
    record = game(
        "clue 0 1", players=3, card_cycle=True, one_less_card=True, starting_player=1, timed=True, time_base=5
    )
    ran = hanalyze("replay", saved(tmp_path, record))
    assert ran.lines[2].endswith("options: card cycle, one less card, Bob begins")


def test_all_games_of_several_files_one_after_the_other(file: Path, tmp_path: Path) -> None:
    saved(tmp_path, *simulate("random", players=2, games=2), name="more.jsonl")
    ran = hanalyze("replay", file, "more.jsonl")
    assert re.findall(r"(?m)^game (\S+) \((\S+), line (\d+)\)$", ran.out) == [
        ("x", "games.jsonl", "1"),
        ("p3v0s7", "games.jsonl", "2"),
        ("p3v0s8", "games.jsonl", "3"),
        ("p3v0s9", "games.jsonl", "4"),
        ("p2v0s1", "more.jsonl", "1"),
        ("p2v0s2", "more.jsonl", "2"),
    ]


def test_standard_input_also_compressed(file: Path) -> None:
    data = file.read_bytes()
    plain = hanalyze("replay", "-", stdin=data)
    assert plain.code == 0
    assert plain.out.startswith("game x\n")
    assert hanalyze("replay", "-", stdin=gzip.compress(data)) == plain


# --- JSON ---------------------------------------------------------------------------------------------------


def test_json_is_the_rows_of_the_replay(file: Path) -> None:
    ran = hanalyze("replay", file, "--json")
    records = list(read(file))
    objects = [json.loads(line) for line in ran.lines]
    assert len(objects) == len(records) == 4
    for found, record in zip(objects, records, strict=True):
        result = replay(record)
        assert list(found) == [
            "game",
            "players",
            "variant",
            "edition",
            "seed",
            "score",
            "max_score",
            "end_condition",
            "rating",
            "defects",
            "turns",
        ]
        assert found["turns"] == list(result.rows())
        assert found["players"] == list(record.players)
        assert found["game"] == record.name
        assert (found["score"], found["max_score"]) == (result.score, result.max_score)
        assert found["end_condition"] == result.end_condition
        assert found["edition"] == "hanab-live"
    assert objects[0]["defects"] == [
        {
            "rule": "deck_differs_from_seed",
            "turn": None,
            "seat": None,
            "found": "seed x is ignored",
        },
        {
            "rule": "discard_at_full_tokens",
            "turn": 4,
            "seat": 0,
            "found": "Alice discards the card of order 4, of a deck of 50",
        },
    ]


def test_many_games_are_in_order_whatever_the_chunks(tmp_path: Path) -> None:
    records = list(simulate("random", players=2, games=130, fast=False))
    ran = hanalyze("replay", saved(tmp_path, *records))
    assert re.findall(r"(?m)^game (\S+)", ran.out) == [record.name for record in records]


def test_json_of_many_games_is_that_of_each(tmp_path: Path) -> None:
    records = list(simulate("random", players=2, games=8, fast=False))
    together = hanalyze("replay", saved(tmp_path, *records), "--json").lines
    alone = [hanalyze("replay", saved(tmp_path, record), "--json").lines for record in records]
    assert [[line] for line in together] == alone


def test_json_of_a_position(file: Path) -> None:
    ran = hanalyze("replay", file, "--nth", "1", "--turn", "3", "--json")
    position = json.loads(ran.out)["position"]
    assert "turns" not in json.loads(ran.out)
    assert position == {
        "turn": 2,
        "seat": 0,
        "hands": [
            [
                {"order": order, "suit": suit, "rank": rank, "clues": []}
                for order, (suit, rank) in enumerate([(0, 1), (0, 3), (2, 1), (3, 4), (2, 3)])
            ],
            [
                {
                    "order": order,
                    "suit": suit,
                    "rank": rank,
                    "clues": [
                        {"turn": 0, "giver": 0, "kind": "colour_clue", "value": 0, "touched": suit == 0}
                    ]
                    if order < 10
                    else [],
                }
                for order, suit, rank in [(6, 1, 4), (7, 3, 2), (8, 0, 2), (9, 1, 4), (10, 4, 1)]
            ],
        ],
        "stacks": [[[0, 1]], [], [], [], []],
        "discards": [],
        "clue_tokens": 7,
        "strikes": 0,
        "deck": 39,
        "score": 1,
        "max_score": 25,
        "pace": 17,
        "end_condition": "unfinished",
    }


def test_json_can_do_nothing_to_a_terminal_and_loses_nothing(tmp_path: Path) -> None:
    names = ("Zoë\u202e花", "\x1b[31m\x7f\x9b")
    record = msgspec.structs.replace(SHORT, players=names)
    ran = hanalyze("replay", saved(tmp_path, record), "--json")
    assert json.loads(ran.out)["players"] == list(names)
    assert ran.out.isascii()
    assert ran.out.rstrip("\n").isprintable()


# --- which games --------------------------------------------------------------------------------------------


def test_a_game_by_id_or_seed_or_number(tmp_path: Path) -> None:
    first, second, third = simulate("random", players=2, games=3)
    records = [msgspec.structs.replace(first, id=3), second, third]
    file = saved(tmp_path, *records)

    def shown(*arguments: str) -> list[str]:
        ran = hanalyze("replay", file, *arguments, "--json")
        assert ran.code == 0
        return [json.loads(line)["seed"] for line in ran.lines]

    assert shown("--game", "3") == ["p2v0s1"]
    assert shown("--game", "p2v0s2") == ["p2v0s2"]
    assert shown("--nth", "3") == ["p2v0s3"]
    assert shown("--nth", "1") == ["p2v0s1"]


def test_who_asks_for_one_game_hears_of_no_other(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b'{"players": 3}\n{"id": 77, "players": ["A"], "actions": [1]}\n')
    ran = hanalyze("replay", file, "--game", "p3v0s8")
    assert (ran.code, ran.err) == (0, "")
    ran = hanalyze("replay", file, "--game", "77")
    assert ran.code == 2
    assert ran.err == "hanalyze: games.jsonl, line 6: game 77: actions[0] is 1, not an object\n"


# --- codes --------------------------------------------------------------------------------------------------


def test_defects_are_shown_and_exit_with_0(file: Path) -> None:
    ran = hanalyze("replay", file)
    assert ran.code == 0
    assert "[discard_at_full_tokens]" in ran.out


def test_strict_exits_with_1_and_shows_the_others(file: Path) -> None:
    ran = hanalyze("replay", file, "--strict")
    assert ran.code == 1
    assert ran.err == (
        "hanalyze: games.jsonl, line 1: game x: a deck other than the one that its seed deals: seed x is"
        " ignored\n"
    )
    assert len(re.findall("(?m)^game ", ran.out)) == 3


def test_forgiven_defects_are_none(file: Path) -> None:
    forgive = ["--forgive", "deck_differs_from_seed", "--forgive", "discard-at-full-tokens"]
    ran = hanalyze("replay", file, "--strict", *forgive)
    assert (ran.code, ran.err) == (0, "")
    assert "defect " not in ran.out


def test_the_worst_code_wins_and_the_rest_is_shown(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b"nonsense\n")
        more.write(to_json(msgspec.structs.replace(SHORT, players=("Alone",))) + b"\n")
        more.write(to_json(next(simulate("random", players=2))) + b"\n")
    ran = hanalyze("replay", file, "missing.json", "--strict")
    assert ran.code == 2
    lines = ran.err.splitlines()
    assert len(lines) == 4
    assert all(line.startswith("hanalyze: ") for line in lines)
    assert len(re.findall("(?m)^game ", ran.out)) == 4


def test_what_could_not_be_played_is_said(tmp_path: Path) -> None:
    ran = hanalyze("replay", saved(tmp_path, game("play 0, play 49, play 1")))
    assert ran.code == 0
    assert "the last 2 of the log's 3 actions were not carried out" in ran.out
    assert "[card_not_in_hand]" in ran.out


# --- strangers' text ----------------------------------------------------------------------------------------


def test_names_seeds_and_paths_are_shown_escaped(tmp_path: Path) -> None:
    record = msgspec.structs.replace(
        SHORT, players=("\x1b]0;x\x07[bold]", "Bob\nEve"), seed="s\x1b[2J", edition=None
    )
    path = saved(tmp_path, record, name="a\x1b[31m.json")
    for arguments in ([], ["--turn", "3"], ["--strict"]):
        ran = hanalyze("replay", path, *arguments)
        text = ran.out + ran.err
        assert all(line.isprintable() for line in text.split("\n"))
        assert "s\\x1b[2J" in text
        assert "a\\x1b[31m.json" in text
    assert "\\x1b]0;x\\x07[bold]" in hanalyze("replay", path).out


def test_colours_only_where_they_are_wanted(file: Path) -> None:
    assert "\x1b" not in hanalyze("replay", file).out
    coloured = hanalyze("replay", file, FORCE_COLOR="1", TERM="xterm-256color").out
    assert "\x1b[31mr1\x1b[0m" in coloured
    assert "\x1b" not in hanalyze("replay", file, FORCE_COLOR="1", NO_COLOR="1").out
    # Without its colours it is the same text.
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == hanalyze("replay", file).out
