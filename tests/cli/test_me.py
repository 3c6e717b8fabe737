"""`hanalyze me`: what it writes for whom, and what strangers call themselves."""

from __future__ import annotations

import json
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.running import hanalyze
from tests.hostile import IMAGE, LONG, NAMES, QUOTES, SCRIPT, TERMINAL, TURNED, hostile_log

pytest.importorskip("duckdb")
pytest.importorskip("jinja2")

SAMPLES = Path(__file__).parents[2] / "sample_logs"


class Page(HTMLParser):
    """The elements of a page with their attributes, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    log = hostile_log(folder, (*NAMES, TERMINAL))
    assert hanalyze("ingest", log, "--db", folder / "games.duckdb", "--jobs", "1", "--conventions").code == 0
    return folder / "games.duckdb"


@pytest.mark.parametrize(
    "name",
    [
        SCRIPT,
        *(pytest.param(one, marks=pytest.mark.heavy) for one in (IMAGE, QUOTES, TURNED, LONG, TERMINAL)),
    ],
)
def test_names_are_only_names(name: str, hostile: Path, tmp_path: Path) -> None:
    ran = hanalyze("me", hostile, "--player", name, "-o", tmp_path / "me.html")
    assert (ran.code, ran.err) == (0, "")
    page = Page((tmp_path / "me.html").read_text("utf-8"))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not {"img", "iframe"} & {tag for tag, _ in page.tags}
    assert not any(key.startswith("on") or key == "style" for _, values in page.tags for key in values)
    text = "".join(page.texts)
    assert not any(mark in text for mark in ("\x1b", "\x9b", "\x00", "\u202e"))
    assert max(len(word) for word in text.split()) < 400


@pytest.mark.heavy
def test_a_page_of_logs(tmp_path: Path) -> None:
    log = SAMPLES / "games.jsonl"
    ran = hanalyze("me", log, "--player", "Alice", "-o", tmp_path / "me.html", "--pages")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == str(tmp_path / "me.html")
    page = Page((tmp_path / "me.html").read_text("utf-8"))
    assert ran.lines[1] == str(tmp_path / "me_quiz.html")
    links = [str(values["href"]) for tag, values in page.tags if tag == "a"]
    asked = [link for link in links if link.startswith("me_quiz.html#puzzle=")]
    links = [link for link in links if link not in asked]
    assert links
    # The quiz asks for the listed positions, in their order; each list links to its first.
    quiz = (tmp_path / "me_quiz.html").read_text("utf-8")
    puzzles = json.loads(quiz.partition('id="quiz">')[2].partition("</script>")[0])["puzzles"]
    listed = [int(link.partition("#turn=")[2]) for link in links]
    assert sorted(one["turn"] + 1 for one in puzzles) == sorted(listed)
    firsts = [int(link.partition("=")[2]) for link in asked]
    assert len(firsts) == len("".join(page.texts).split("as a quiz")) - 1 > 1
    for number in firsts:
        assert puzzles[number - 1]["turn"] + 1 in listed
    for link in links:
        file, _, turn = str(link).partition("#turn=")
        assert (tmp_path / file).exists()
        assert int(turn) > 0
    text = " ".join("".join(page.texts).split())
    assert f"hanalyze quiz {shlex.quote(str(log))} --player Alice --mistakes" in text


def test_what_it_refuses(tmp_path: Path) -> None:
    log = SAMPLES / "game.json"
    ran = hanalyze("me", log, "-o", tmp_path / "me.html")
    assert ran.code == 2
    assert "give --player: Alice" in " ".join(ran.err.split())
    ran = hanalyze("me", log, "--player", "Alcie", "-o", tmp_path / "me.html")
    assert ran.err == 'hanalyze: there is no player "Alcie"; did you mean "Alice"?\n'
    assert not (tmp_path / "me.html").exists()
