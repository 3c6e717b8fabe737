"""The dashboard in a browser: its numbers are the database's, filters act on all, names do nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanalyze.agents import simulate
from hanalyze.report.dashboard.build import made_dashboard, needed_pages
from hanalyze.report.dashboard.cube import NAME_WIDTH, Cube
from hanalyze.store import Database, connect
from hanalyze.text import apart
from tests.browser.settled import becomes, settled, turns_true
from tests.report.board import HOSTILE, make_database
from tests.site_strings import expanded

pytestmark = pytest.mark.browser

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def file(db: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "dashboard.html"
    pages = {game: f"games/{game}.html" for game in needed_pages(db, 3)}
    path.write_text(made_dashboard(db, pages=pages).text, "utf-8")
    return path


def choose(
    page: Any, *, players: int | None = None, variant: str | None = None, player: str | None = None
) -> None:
    if players is not None:
        page.click(f"#sizes button[data-size='{players}']")
    if variant is not None:
        page.select_option("#variant", label=variant)
    if player is not None:
        page.select_option("#player", label=player)
    settled(page)


def test_key_numbers_follow_the_filters(db: Database, file: Path, open_page: Open) -> None:
    page = open_page(file)
    everything = db.games().height
    assert page.inner_text("#count") == f"{everything} of {everything} games"
    query = """
        SELECT count(*) AS games, count(*) FILTER (score >= full_score) AS perfect,
            count(*) FILTER (end_condition = 'strikeout') AS struck,
            avg(full_score - score) FILTER (end_condition = 'normal') AS short, avg(efficiency) AS efficiency
        FROM games WHERE {where}"""
    [whole] = db.sql(query.format(where="true")).to_dicts()
    before = page.evaluate("document.querySelector('#figure-scores').data[0].y.slice()")
    choose(page, players=3, variant="No Variant", player="Bela")
    where = """players = 3 AND variant = 'No Variant'
        AND game_id IN (SELECT game_id FROM seats WHERE player = 'Bela')"""
    [some] = db.sql(query.format(where=where)).to_dicts()
    assert page.inner_text("#count").startswith(f"{some['games']} of {everything} games")
    assert "few games, so differences are uncertain" in page.inner_text("#count")
    perfect = page.inner_text("#key-perfect")
    assert f"{100 * some['perfect'] / some['games']:.0f}%" in perfect
    assert (
        f"{some['perfect']} of {some['games']}; all games {100 * whole['perfect'] / whole['games']:.0f}%"
        in perfect
    )
    assert f"{some['short']:.2f}" in page.inner_text("#key-short")
    assert f"{some['struck']} of {some['games']}" in page.inner_text("#key-struck")
    assert f"{some['efficiency']:.2f}" in page.inner_text("#key-efficiency")
    assert page.evaluate("document.querySelector('#figure-scores').data[0].y.slice()") != before
    assert page.evaluate("location.hash") == "#players=3&variant=No%20Variant&player=Bela"
    page.reload()
    settled(page)
    assert page.inner_text("#count").startswith(f"{some['games']} of")
    page.click("#sizes button[data-size='']")
    page.select_option("#variant", "")
    page.select_option("#player", "")
    assert page.inner_text("#count") == f"{everything} of {everything} games"


def test_games_without_a_finished_one_have_a_page(tmp_path: Path, open_page: Open) -> None:
    with connect() as db:
        db.add(simulate("random", players=5, games=3, seed=4))
        assert set(db.games()["end_condition"]) == {"strikeout"}
        (tmp_path / "dashboard.html").write_text(made_dashboard(db).text, "utf-8")
    page = open_page(tmp_path / "dashboard.html")
    assert page.inner_text("#key-struck .value b") == "100.0%"
    assert page.inner_text("#key-short .note") == "no such game"
    assert page.inner_text("#lead-endings") == "Only 3 games: too few for a figure."


def test_a_chosen_player_counts_with_own_decisions(db: Database, file: Path, open_page: Open) -> None:
    page = open_page(file)
    scopes = "all => all.filter((one) => !one.hidden).map((one) => one.textContent)"
    assert page.eval_on_selector_all(".scope", scopes) == []
    choose(page, player="Bela")
    assert page.inner_text("#scope").startswith("Figures about decisions (clues, plays, discards, mistakes) ")
    assert page.inner_text("#scope").endswith(" count all games with Bela.")
    for name in ("clue_value", "discards", "misplays", "costliest"):
        assert page.inner_text(f"#scope-{name}") == "Only decisions of Bela are counted."
    for name in ("scores", "points_short", "endings"):
        assert page.inner_text(f"#scope-{name}") == "All games with Bela are counted."
    assert page.locator("#scope-players").is_hidden()
    # Plays and clues of Bela, in games of Bela; and what is said of games is of all who played them.
    own = "FROM {} t JOIN seats s ON s.game_id = t.game_id AND s.seat = t.{} WHERE s.player = 'Bela'"
    [[plays]] = db.sql(f"SELECT count(*) {own.format('decisions', 'seat')} AND t.action = 'play'").rows()
    [[clues]] = db.sql(f"SELECT count(*) {own.format('clues', 'giver')}").rows()
    [[games]] = db.sql("SELECT count(DISTINCT game_id) FROM seats WHERE player = 'Bela'").rows()
    sums = """() => ["misplays", "clues", "scores"].map((name) => {
      const sums = sumsOf(name, chosenCells(state));
      const some = name === "clues" ? sums.filter((one) => one.panel === "Kind") : sums.slice(0, 1);
      return total(some.map((one) => one.y));
    })"""
    assert page.evaluate(sums) == [plays, clues, games]
    names = page.eval_on_selector_all("#figure-costliest b bdi", "all => all.map((one) => one.textContent)")
    assert set(names) == {"Bela"}
    choose(page, player="All players")
    assert page.eval_on_selector_all(".scope", scopes) == []
    assert page.evaluate(sums) != [plays, clues, games]


def chosen(page: Any) -> list[Any]:
    """Return what the filters show, as somebody sees it, and how many games there are."""
    shown = [
        page.eval_on_selector(f"#{name}", "(one) => one.selectedOptions[0].textContent")
        for name in ("variant", "player")
    ]
    size = page.locator("#sizes [aria-pressed='true']").inner_text()
    return [size, *shown, int(page.inner_text("#count").split()[0])]


def test_back_goes_back(file: Path, open_page: Open) -> None:
    page = open_page(file)
    seen = [chosen(page)]
    for choice in ({"players": 3}, {"variant": "No Variant"}, {"player": "Bela"}):
        choose(page, **choice)
        seen.append(chosen(page))
    assert seen[-1][:3] == ["3", "No Variant", "Bela"]
    for before in reversed(seen[:-1]):
        page.go_back()
        becomes(page, lambda: chosen(page), before)
    page.go_forward()
    becomes(page, lambda: chosen(page), seen[1])
    # So does an address that somebody types.
    page.evaluate("location.hash = 'player=Ada'")
    becomes(page, lambda: chosen(page)[:3], ["All", "All variants", "Ada"])


ODD = ("0", "17", "Bela", "100% =&#?/", "<b>x</b>", "Zoë 花火", "")


@pytest.mark.heavy
def test_the_address_has_names(tmp_path: Path, open_page: Open) -> None:
    """They mean the same in a page that is made anew, where somebody else may have the number."""
    with make_database(tmp_path, ODD, samples=False) as db:
        path = tmp_path / "dashboard.html"
        path.write_text(made_dashboard(db).text, "utf-8")
        with Cube(db) as cube:
            shown = dict(zip(cube.players, cube.shown_players, strict=True))
    page = open_page(path)
    addresses = {}
    for name in ODD:
        choose(page, player=shown[name])
        addresses[name] = page.evaluate("location.hash")
    assert addresses["Bela"] == "#player=Bela"
    assert len(set(addresses.values())) == len(ODD)
    for name, address in addresses.items():
        again = open_page(path, tail=address)
        assert chosen(again)[2] == shown[name], address
    # The number of a place in an older page is nobody, though there is a player of that name.
    for tail in ("#player=0", "#player=1", "#player=17", "#variant=0", "#player=%", "#constructor=1"):
        assert chosen(open_page(path, tail=tail))[:3] == ["All", "All variants", "All players"]
    stranger = open_page(path, tail="#player=Elza%3Cb%3E&players=3")
    assert chosen(stranger)[:3] == ["3", "All variants", "All players"]
    assert stranger.inner_text("#count").endswith("not in this database: Elza<b>")
    choose(stranger, player="Bela")
    assert "not in this database" not in stranger.inner_text("#count")


def test_a_title_and_what_follows_are_apart(file: Path, open_page: Open) -> None:
    page = open_page(file)
    labels = page.eval_on_selector_all(
        ".figure[role='img']", "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert any("?" in label for label in labels)
    assert not [label for label in labels if re.search(r"[.?!][.:;]|[.?!][A-Z]", label)]


def test_the_last_choice_is_what_is_drawn(file: Path, open_page: Open) -> None:
    """Figures are drawn one after the other; a choice made meanwhile takes over, and words come first."""
    page = open_page(file)
    heights = "[...document.querySelector('#figure-scores').data[0].y]"
    everything, words = page.evaluate(heights), page.inner_text("#lead-scores")
    now = """() => {
        for (const size of ["3", "2", ""]) document.querySelector(`#sizes [data-size='${size}']`).click();
        return [document.querySelector("main").getAttribute("aria-busy"),
            document.querySelector("#lead-scores").textContent]; }"""
    assert page.evaluate(now) == ["true", words]
    settled(page)
    assert page.evaluate(heights) == everything
    choose(page, players=3)
    assert page.evaluate(heights) != everything


def test_links(db: Database, file: Path, open_page: Open) -> None:
    page = open_page(file)
    links = page.eval_on_selector_all(
        "#figure-costliest a", "all => all.map((one) => one.getAttribute('href'))"
    )
    costly = db.sql("""
        SELECT m.game_id, turn, CASE WHEN source IS NULL THEN source_id END AS number, defects
        FROM mistakes m JOIN games g USING (game_id) WHERE points > 0
        ORDER BY points DESC, severity IN ('could_not_know', 'forced', 'nothing_to_lose'), m.game_id, turn
        LIMIT 8""")
    pages = needed_pages(db, 3)
    wanted = []
    whole = {}
    for game, turn, number, defects in costly.iter_rows():
        wanted += [f"games/{game}.html#turn={turn + 1}"] if game in pages else []
        if number is not None:
            wanted.append(f"https://hanab.live/replay/{number}#{turn + 1}")
        elif not defects:
            whole[len(wanted)] = game, turn + 1
            wanted.append("")
    assert [link for place, link in enumerate(links) if place not in whole] == list(filter(None, wanted))
    assert len(links) == len(wanted)
    assert whole
    for place, (game, turn) in whole.items():
        text, _, at = links[place].removeprefix("https://hanab.live/replay-json/").partition("#")
        cards = db.sql('SELECT suit, rank FROM cards WHERE game_id = ? ORDER BY "order"', [game])
        turns = db.sql("SELECT count(*) FROM turns WHERE game_id = ? AND action <> 'end_game'", [game])
        held = expanded(text)
        assert (held.deck, len(held.actions), int(at)) == (cards.rows(), turns.item(), turn)
    page.click("#costliest summary")
    assert "row_number() OVER" in page.inner_text("#costliest pre")


@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_scrolls_sideways(file: Path, open_page: Open, width: int) -> None:
    page = open_page(file, width=width, dark=width == 400)
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = page.evaluate(
        """width => [...document.querySelectorAll("main *")].filter((one) =>
        !one.closest("svg, pre, thead") && one.getBoundingClientRect().right > width + 1)
        .map((one) => one.outerHTML.slice(0, 80))""",
        width,
    )
    assert wide == []


@pytest.mark.heavy
def test_theme_and_width_change(file: Path, open_page: Open) -> None:
    page = open_page(file)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("#theme")
    assert page.evaluate(colour) != light
    assert page.inner_text("#theme") == "Light"
    page.set_viewport_size({"width": 600, "height": 900})
    turns_true(page, "document.querySelector('#figure-scores .main-svg').clientWidth < 600")


@pytest.mark.heavy
@pytest.mark.parametrize("width", [400, 1400])
def test_strangers_text_is_text(tmp_path: Path, open_page: Open, width: int) -> None:
    """The page itself sees to it that no dialog opened and nothing was loaded."""
    with make_database(tmp_path, HOSTILE, samples=False) as db:
        wanted = apart(board_names(db), NAME_WIDTH)
        made = made_dashboard(db)
    path = tmp_path / "dashboard.html"
    path.write_text(made.text, "utf-8")
    page = open_page(path, width=width)
    shown = page.eval_on_selector_all("#player option", "all => all.map((one) => one.textContent)")
    assert sorted(shown[1:]) == sorted(wanted)
    assert {"</script><script>alert(…", "<img src=x onerror=aler…", "W" * 23 + "…"} <= set(shown)
    assert max(map(len, shown)) <= 24
    assert not [name for name in shown if "\u202e" in name or "\u2066" in name]
    for number in range(len(HOSTILE)):
        page.select_option("#player", str(number))
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.select_option("#player", "")
    settled(page)
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
    assert page.evaluate("document.querySelectorAll('main img, main script').length") == 0
    for name in ("players", "player_rates", "partners"):
        labels = page.eval_on_selector_all(
            f"#figure-{name} svg text", "all => all.map((one) => one.textContent)"
        )
        assert any(label.startswith("<img") for label in labels), name
    for point in page.query_selector_all("#figure-players .points path")[:3]:
        point.hover(force=True)
    turns = page.inner_text("#figure-costliest")
    assert "W" * 22 in turns or "<img" in turns or "</script>" in turns
    assert "W" * 30 not in page.inner_text("main")
    assert page.title() == "Where the points go"


def board_names(db: Database) -> list[str]:
    return db.sql("SELECT DISTINCT player FROM seats")["player"].to_list()
