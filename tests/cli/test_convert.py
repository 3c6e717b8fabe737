"""`hanalyze convert` and `hanalyze formats`."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.logs import read
from hanalyze.logs.formats.registry import formats
from tests.cli.running import hanalyze, saved


def test_there_and_back(tmp_path: Path) -> None:
    games = list(simulate("cautious", players=3, games=4, seed=8))
    path = saved(tmp_path, *games)
    other, third = tmp_path / "games.hle.gz", tmp_path / "again.jsonl"
    ran = hanalyze("convert", path, "-o", other, "--to", "hle")
    assert (ran.code, ran.out) == (0, "")
    lost = "not stored by this format: source (4), seed (4), rules (4)"
    assert ran.err == f"hanalyze: 4 games written to {other}; {lost}\n"
    ran = hanalyze("convert", other, "-o", third)
    assert ran == (0, "", f"hanalyze: 4 games written to {third}\n")
    assert [one.actions for one in read(third)] == [game.actions for game in games]


def test_to_standard_output(tmp_path: Path) -> None:
    path = saved(tmp_path, *simulate("cautious", players=2, games=2, seed=8))
    ran = hanalyze("convert", path, "--to", "share")
    assert ran.code == 0
    assert [line.startswith("215") for line in ran.lines] == [True, True]


def test_what_has_no_place_is_listed(tmp_path: Path) -> None:
    plain, other = (
        next(iter(simulate("cautious", players=2, variant=variant, games=1, seed=8)))
        for variant in ("No Variant", "6 Suits")
    )
    path = saved(tmp_path, replace(other, id=5), plain)
    ran = hanalyze("convert", path, "--to", "hle")
    assert ran.code == 2
    assert len(ran.lines) == 1
    assert 'the Hanabi Learning Environment does not have the variant "6 Suits"' in ran.err
    assert "5" in ran.err.splitlines()[0]


def test_a_file_is_not_written_over_itself(tmp_path: Path) -> None:
    path = saved(tmp_path, *simulate("cautious", players=2, games=2, seed=8))
    before = path.read_bytes()
    ran = hanalyze("convert", path, "-o", path, "--to", "share")
    assert ran.code == 2
    assert "this file is being read; give -o another file" in ran.err
    assert path.read_bytes() == before


def test_what_cannot_be_done_is_a_line(tmp_path: Path) -> None:
    path = saved(tmp_path, *simulate("cautious", players=2, games=2, seed=8))
    for arguments, said in (
        (("--to", "xml"), 'there is no format "xml"; one of: hanab-live'),
        (("--to", "openspiel"), 'there is no format "openspiel"; did you mean "open-spiel"?'),
        (("--to", "hanabi-data"), 'the format "hanabi-data" can only be read'),
        (("-o", tmp_path / "no" / "x"), "there is no such folder"),
    ):
        ran = hanalyze("convert", path, *arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert said in ran.err
        assert len(ran.err.splitlines()) == 1


def test_the_list_of_formats() -> None:
    ran = hanalyze("formats")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.lines] == [one.name for one in formats()]
    assert all(len(line) <= 120 for line in ran.lines)
