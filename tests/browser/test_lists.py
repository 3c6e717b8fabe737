"""The lists behind the numbers of the dashboard: they add up to the numbers, in the browser and in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hanalyze.logs.sources.file_search import sample_logs
from hanalyze.report.dashboard.build import made_dashboard
from hanalyze.store import Database, connect
from tests.browser.settled import becomes, settled
from tests.report.board import HOSTILE, make_database

pytestmark = pytest.mark.browser

Open = Callable[..., Any]

LISTED = """(filters) => {
  Object.assign(state, { players: null, variant: null, player: null }, filters);
  const wrong = [];
  let [numbers, bounded] = [0, 0];
  const keys = DATA.key_numbers.map((key) => [asKey(key), sumsOf(key.name, chosenCells(state))]);
  for (const [question, rows] of [...keys, ...askedOf(state).filter(([one]) => hasBehind(one))]) {
    for (const row of rows.filter((one) => one.panel !== TREND && one.y > 0)) {
      const found = behindOf(question, row, state);
      const { isCut, entries, total: whole, shown } = found;
      const isWhole = Math.abs(whole - shown) < 1e-3;
      numbers += 1;
      bounded += !isWhole && question.name !== "convention_worth"; // which follows no filter
      if (shown > whole + 1e-3 || (!isWhole && !isCut)
        || new Set(entries.map((one) => one.id)).size !== entries.length
        || extentOf(found).startsWith("All") !== (isWhole && whole > 0)) {
        wrong.push([question.name, row.panel, row.label, whole, shown]);
      }
    }
  }
  return [numbers, bounded, wrong];
}"""
"""How many numbers the figures have, how many lists are shorter, and which are wrong."""

TITLES = """([name, panel, label, filters]) => {
  Object.assign(state, { players: null, variant: null, player: null }, filters);
  const [question, rows] = askedOf(state).find(([one]) => one.name === name);
  const row = rows.find((one) => one.panel === panel && one.label === label);
  return behindOf(question, row, state).entries.map(({ id, game, value }) => [
    DATA.behind.games[game][4], id < 0 ? null : DATA.behind.turns[1][id], value]);
}"""
"""Entries of a list: title of the game, turn, value."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the dashboard of the demo, whose pages of games are left out."""
    path = tmp_path_factory.mktemp("demo") / "dashboard.html"
    with connect() as db:
        db.ingest([log for log in sample_logs() if log.name != "broken.jsonl"], jobs=1)
        db.read_conventions(jobs=1)
        path.write_text(made_dashboard(db).text, "utf-8")
    return path


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_database(tmp_path_factory.mktemp("board"), samples=False) as made:
        yield made


@pytest.fixture(scope="module")
def file(db: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "dashboard.html"
    path.write_text(made_dashboard(db).text, "utf-8")
    return path


def test_the_lists_add_up_to_the_numbers(open_page: Open, demo: Path) -> None:
    """All figures, for all choices of team size, variant and player of the demo."""
    page = open_page(demo)
    sizes, variants, players = page.evaluate(
        "[DATA.sizes, [...DATA.variants.keys()], [...DATA.players.keys()]]"
    )
    choices = [
        {"players": size, "variant": variant, "player": player}
        for size, variant, player in product((None, *sizes), (None, *variants), (None, *players))
    ]
    assert len(choices) > 300
    numbers = bounded = 0
    for filters in choices:
        some, fewer, wrong = page.evaluate(LISTED, filters)
        assert wrong == [], filters
        numbers, bounded = numbers + some, bounded + fewer
    assert numbers > 10_000
    assert 0 < bounded < 0.02 * numbers
    assert page.evaluate("DATA.behind.whole")
    # Lists make up a third of the data.
    assert len(page.evaluate("document.getElementById('data').textContent")) < 200_000


def titles(db: Database, query: str) -> list[list[Any]]:
    return [[f"Game {number}", *rest] for number, *rest in db.sql(query).rows()]


def test_a_list_has_the_games_and_turns_of_the_query(db: Database, file: Path, open_page: Open) -> None:
    page = open_page(file)
    player = page.evaluate("DATA.players.indexOf('Bela')")
    misplays = """SELECT source_id, m.turn + 1 AS turn, 1 AS x FROM mistakes m JOIN games g USING (game_id)
        JOIN seats s ON s.game_id = m.game_id AND s.seat = m.seat
        WHERE kind = 'misplay' AND severity = 'gamble' {} ORDER BY m.points DESC, full_score - score DESC,
        m.game_id, turn"""
    asked = ["misplays", "Misplays", "gamble", {}]
    every = titles(db, misplays.format(""))
    assert len(every) > 20
    assert page.evaluate(TITLES, asked) == every[:200]
    own = titles(db, misplays.format("AND s.player = 'Bela'"))
    assert 0 < len(own) < len(every)
    assert page.evaluate(TITLES, [*asked[:3], {"player": player}]) == own
    # Games, not decisions: all games with Bela.
    struck = """SELECT source_id, NULL AS turn, 1 AS x FROM games
        WHERE end_condition = 'strikeout' AND players = 3
            AND game_id IN (SELECT game_id FROM seats WHERE player = 'Bela')
        ORDER BY full_score - score DESC, game_id"""
    filters = {"player": player, "players": 3}
    assert page.evaluate(TITLES, ["endings", "", "Struck out", filters]) == titles(db, struck)
    # Clues of a kind, those that gained least first.
    clues = """SELECT source_id, c.turn + 1 AS turn, c.cards_gotten AS x
        FROM clues c JOIN games g USING (game_id) WHERE c.kind = 'rank' AND g.players = 4 ORDER BY x"""
    found = page.evaluate(TITLES, ["clue_value", "Kind", "rank", {"players": 4}])
    assert [x for *_, x in found] == sorted(x for *_, x in found)
    assert all(one in titles(db, clues) for one in found)


@pytest.mark.parametrize("width", [400, 1400])
def test_a_click_or_enter_opens_the_list(db: Database, file: Path, open_page: Open, width: int) -> None:
    page = open_page(file, width=width)
    assert page.locator("#behind").is_hidden()
    page.locator("#figure-endings .point path").first.click(force=True)
    becomes(page, lambda: page.locator("#behind").is_visible(), True)
    [number] = page.evaluate("shownRows.get('endings').filter((one) => one.label === 'Played to the end')")
    assert page.inner_text("#behind-about") == f"Played to the end: All {number['x']}, the worst first."
    assert page.locator("#behind-list li").count() == number["x"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.keyboard.press("Escape")
    # A key number, and a point of a median curve.
    page.click("#key-struck .open")
    struck = page.evaluate("sumsOf('struck', chosenCells(state))[0].x")
    assert page.inner_text("#behind-about") == f"All {struck}, the worst first."
    assert page.locator("#behind-list li").count() == struck
    page.keyboard.press("Escape")
    page.click("#efficiency .numbers summary")
    page.locator("#numbers-efficiency .open").last.click()
    panel = page.evaluate("shownRows.get('efficiency').at(-1).panel")
    [games] = db.sql("SELECT count(*) FROM games WHERE full_score - score >= 3").rows()
    assert panel == "Games 3 or more points short"
    assert page.inner_text("#behind-about") == f"{panel}: All {games[0]}, the worst first."
    page.keyboard.press("Escape")
    # By keyboard: to the figure, to its third mark, and to the list, which is one of turns.
    page.focus("#figure-points_short")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    assert page.locator("#figure-points_short .hovertext").count() == 1
    said = page.inner_text("#chosen")
    page.keyboard.press("Enter")
    assert page.inner_text("#behind-about b") == said.split(":")[0]
    assert page.locator("#behind-list a[href*='turn='], #behind-list a[href*='#']").count() > 5
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "figure-points_short"
    # From the table, which screen readers read.
    page.click("#discards .numbers summary")
    page.focus("#numbers-discards button")
    page.keyboard.press("Enter")
    assert page.locator("#behind").is_visible()


def test_figures_keep_their_height(file: Path, open_page: Open) -> None:
    """No figure moves when another one is drawn."""
    page = open_page(file)
    tops = "() => DATA.questions.map(({ name }) => Math.round(document.getElementById(name).offsetTop))"
    drawn = page.evaluate(tops)
    early = page.evaluate(f"() => {{ state.players = 3; draw(); return ({tops})(); }}")
    settled(page)
    assert page.evaluate(tops) == early != drawn


def test_contents_and_filters_stay_in_sight(file: Path, open_page: Open) -> None:
    page = open_page(file, tail="#players=3")
    page.click("#contents a[href='#costliest']")
    for name in ("#contents", ".filters"):
        assert page.eval_on_selector(name, "(one) => one.getBoundingClientRect().bottom > 40")
    title = page.locator("#costliest h3").bounding_box()
    bar = page.locator(".filters").bounding_box()
    assert bar["y"] == 0
    assert bar["height"] <= title["y"] < 1000
    assert page.evaluate("location.hash") == "#players=3"


def test_figures_are_saved(file: Path, open_page: Open) -> None:
    page = open_page(file)
    with page.expect_download() as saved:
        page.click("#csv-players")
    lines = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert saved.value.suggested_filename == "players.csv"
    assert lines[0] == '"panel","label","other","value","low","high","x","y","n"'
    rows = page.evaluate("shownRows.get('players')")
    assert [line.split(",")[1] for line in lines[1:]] == [f'"{row["label"]}"' for row in rows]
    assert [float(line.split(",")[3]) for line in lines[1:]] == [row["value"] for row in rows]
    with page.expect_download() as saved:
        page.click("#png-points_short")
    picture = Path(saved.value.path()).read_bytes()
    # The picture is made in memory; nothing is loaded.
    page.problems[:] = [one for one in page.problems if not one.startswith("request of blob:null/")]
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width = page.evaluate("document.getElementById('figure-points_short').clientWidth")
    assert int.from_bytes(picture[16:20], "big") == 2 * width


@pytest.mark.heavy
def test_strangers_names_in_lists_are_text(tmp_path: Path, open_page: Open) -> None:
    with make_database(tmp_path, (*HOSTILE, "=1+1"), samples=False) as db:
        path = tmp_path / "dashboard.html"
        path.write_text(made_dashboard(db).text, "utf-8")
    page = open_page(path)
    page.evaluate("""() => {
      for (const name of ["scores", "wasted_tokens", "players"]) {
        const question = DATA.questions.find((one) => one.name === name);
        for (const row of shownRows.get(name)) {
          openBehind(question, row);
          document.getElementById("behind").close();
        }
      }
      openBehind(DATA.questions[0], shownRows.get("scores").reduce((a, b) => (a.x > b.x ? a : b)));
    }""")
    assert page.locator("#behind img, #behind script").count() == 0
    assert "<img" in page.inner_text("#behind")
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        page.click("#csv-players")
    text = Path(saved.value.path()).read_text("utf-8")
    assert '"\'=1+1"' in text
    assert '"=' not in text
