"""The page of `explore` in a browser: answers by hand and by a slow twin, sentence, address, odd names."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanalyze.analysis.statistics.intervals import Sums, mean_of_sums, share_of_sums, student
from hanalyze.report.dashboard.picture import plotly_script
from hanalyze.report.explore.build import script
from hanalyze.report.page import policy, render, source
from hanalyze.report.theme import theme_css
from tests.browser.settled import becomes, settled, turns_true
from tests.hostile import IMAGE, LONG, QUOTES, SCRIPT, TURNED
from tests.report.figure_scripts import Sum

pytestmark = pytest.mark.browser

Open = Callable[..., Any]

PEOPLE = ("Ada", "Bela", "Chiara, jr.", "=1+1")
NASTY = (SCRIPT, IMAGE, QUOTES, TURNED, LONG, "<b>&amp;${1}{label}**")
MONTHS = ("2024-01", "2024-02", "2025-01")
PHASES = ("Opening", "Middle")
ANSWER = "(question) => answer({ where: {}, versus: null, ...question })"


class Game:
    """A game of the synthetic database: its dimensions, and counts by seat and phase."""

    def __init__(self, choice: random.Random, people: int) -> None:
        self.party = choice.sample(range(people), min(people, choice.choice((2, 2, 3))))
        self.month = choice.randrange(len(MONTHS))
        self.score = choice.randint(10, 25)
        self.turns = [
            (
                seat,
                phase,
                discards,
                [sum(choice.random() < p for _ in range(discards)) for p in self.chances(seat)],
            )
            for seat, phase in product(range(len(self.party)), range(len(PHASES)))
            for discards in [choice.randint(0, 4)]
        ]

    def chances(self, seat: int) -> tuple[float, float]:
        """Return how often the player of a seat makes a mistake of each kind."""
        return 0.05 + 0.15 * (self.party[seat] % 4), 0.1


def make_games(people: int, count: int = 120, seed: int = 4) -> list[Game]:
    choice = random.Random(seed)
    return [Game(choice, people) for _ in range(count)]


def metric(name: str, table: str, x: str, y: str, share: bool, **more: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "name": name,
        "title": name.capitalize(),
        "noun": name,
        "section": "All",
        "table": table,
    }
    values |= {"x": x, "y": y, "share": share, "scale": 100 if share else 1, "decimals": 1}
    values |= {"unit": "per 100 discards" if share else "points", "of": "discards" if share else "games"}
    return values | {
        "better": -1,
        "fewest": 20,
        "minimum": 30 if share else 0,
        "definition": "A count.",
        **more,
    }


def packed(games: Sequence[Game], people: Sequence[str], *, exact: bool = True) -> str:
    """Return the data of a page; if not exact, two games at a time are a cluster."""
    parties = sorted({tuple(game.party) for game in games})
    rows = [(number, *turn) for number, game in enumerate(games) for turn in game.turns]
    column: dict[str, Any] = {
        "games.cluster": [n if exact else n // 2 for n in range(len(games))],
        "games.party": [parties.index(tuple(game.party)) for game in games],
        "games.month": [game.month for game in games],
        "games.games": [1] * len(games),
        "games.score_x": [game.score for game in games],
        "decisions.game": np.diff([row[0] for row in rows], prepend=0),
        "decisions.seat": [row[1] for row in rows],
        "decisions.phase": [row[2] for row in rows],
        "decisions.o": [row[3] for row in rows],
        "decisions.f": [min(sum(row[4]), row[3]) for row in rows],
        "decisions.f0": [row[4][0] for row in rows],
        "decisions.f1": [row[4][1] for row in rows],
    }
    body, described = bytearray(), {}
    for name, values in column.items():
        body += bytes(-len(body) % 8)
        stored = np.array(values, np.uint16 if name == "games.cluster" else np.uint8)
        described[name] = {
            "type": f"u{stored.itemsize}",
            "at": len(body),
            "length": len(stored),
            "delta": name == "decisions.game",
        }
        body += stored.tobytes()

    def dimension(
        title: str, values: Sequence[str], ordered: bool, keys: Sequence[str] = ()
    ) -> dict[str, Any]:
        return {"title": title, "values": values, "keys": keys or values, "ordered": ordered}

    kinds = {"dimension": "kind", "values": ["Last copy", "Clued card"], "keys": ["last", "clued"]}
    header = {
        "version": "1",
        "games": len(games),
        "clusters": len(set(column["games.cluster"])),
        "exact": exact,
        "notes": ["A note."],
        "student": [student(0.975, freedom) for freedom in range(1, 101)],
        "columns": described,
        "tables": {
            "games": {"rows": len(games), "dimensions": ["player", "partner", "players", "month", "year"]},
            "decisions": {
                "rows": len(rows),
                "dimensions": [
                    "player",
                    "partner",
                    "before",
                    "after",
                    "seat",
                    "players",
                    "month",
                    "year",
                    "phase",
                ],
            },
        },
        "dimensions": {
            **{name: dimension(name, people, False) for name in ("player", "partner", "before", "after")},
            "players": dimension("team size", ["2 players", "3 players"], True, ["2", "3"]),
            "month": dimension("month", MONTHS, True),
            "year": dimension("year", ["2024", "2025"], True),
            "seat": dimension("seat", ["Seat 1", "Seat 2", "Seat 3"], True, ["0", "1", "2"]),
            "phase": dimension("phase", PHASES, True, ["early", "middle"]),
            "kind": dimension("kind", [], False),
        },
        "parties": parties,
        "years": [0, 0, 1],
        "metrics": [
            metric(
                "mistakes",
                "decisions",
                "f",
                "o",
                True,
                kinds={**kinds, "columns": [["f0", "o"], ["f1", "o"]]},
            ),
            metric("score", "games", "score_x", "games", False, better=1),
        ],
        "questions": [
            {"title": "Who errs most?", "metric": "mistakes", "by": ["player"], "where": {}, "versus": None},
            {
                "title": "How is Ada?",
                "metric": "mistakes",
                "by": [],
                "where": {"player": [0]},
                "versus": "others",
            },
        ],
        "listed": {
            "names": [str(1000 + number) for number in range(len(games))],
            "addresses": [f"https://example.org/{n}" if n % 2 else None for n in range(len(games))],
        }
        if exact
        else None,
    }
    text = json.dumps(header).encode()
    start = len(text).to_bytes(4, "little") + text
    return base64.b64encode(gzip.compress(start + bytes(-len(start) % 8) + body)).decode()


def write_page(path: Path, data: str) -> Path:
    plotly, code = plotly_script(), script()
    text = render(
        "explore/page/explore.html",
        policy=policy((plotly, code)),
        full=None,
        style=theme_css() + source("panels.css") + source("explore/page/explore.css"),
        data=data,
        script=code,
        plotly=plotly,
    )
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return make_games(len(PEOPLE))


@pytest.fixture(scope="module")
def file(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("explore") / "explore.html", packed(games, PEOPLE))


# --- the slow twin: a loop over games and turns ------------------------------------------------------------


def memberships(game: Game, seat: int | None, phase: int | None) -> dict[str, set[Any]]:
    """Return the values of each dimension of a turn, or of a game (`seat` is None)."""
    party = game.party
    shared = {"players": {len(party) - 2}, "month": {game.month}, "year": {game.month // 2}}
    if seat is None or phase is None:
        return {**shared, "player": set(party), "partner": set(party)}
    return {
        **shared,
        "player": {party[seat]},
        "before": {party[seat - 1]},
        "after": {party[(seat + 1) % len(party)]},
        "partner": {player for other, player in enumerate(party) if other != seat},
        "seat": {seat},
        "phase": {phase},
    }


def pairs_of(game: Game, by: Sequence[str], where: Mapping[str, Sequence[int]]) -> set[tuple[int, ...]]:
    """Return the groups of a game by players, partners or both."""
    return {
        tuple({"player": one, "partner": other}[name] for name in by)
        for one, other in product(game.party, repeat=2)
        if one != other
        and ("player" not in where or one in where["player"])
        and ("partner" not in by or "partner" not in where or other in where["partner"])
    }


def sums_of(
    games: Sequence[Game], question: Mapping[str, Any], chosen: Callable[[dict[str, set[Any]]], bool]
) -> dict[tuple[int, ...], dict[int, list[int]]]:
    """Return x and y by group and game, of the rows that are chosen."""
    by, where = question.get("by", []), question.get("where", {})
    found: dict[tuple[int, ...], dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def count(number: int, groups: set[tuple[int, ...]], x: int, y: int) -> None:
        for group in groups:
            found[group][number][0] += x
            found[group][number][1] += y

    for number, game in enumerate(games):
        if question["metric"] == "score":
            values = memberships(game, None, None)
            if not chosen(values):
                continue
            if by and set(by) <= {"player", "partner"}:
                groups = pairs_of(game, by, where)
            else:
                groups = set(product(*(values[name] & set(where.get(name, values[name])) for name in by)))
            count(number, groups, game.score, 1)
            continue
        for seat, phase, discards, kinds in game.turns:
            values = memberships(game, seat, phase)
            if not chosen(values):
                continue
            parts = kinds if "kind" in by else [min(sum(kinds), discards)]
            if "kind" in where and "kind" not in by:
                parts = [kinds[where["kind"][0]]]
            for kind, x in enumerate(parts):
                whole = {**values, "kind": {kind}}
                count(
                    number,
                    set(product(*(whole[name] & set(where.get(name, whole[name])) for name in by))),
                    x,
                    discards,
                )
    return found


def fits(where: Mapping[str, Sequence[int]]) -> Callable[[dict[str, set[Any]]], bool]:
    return lambda values: all(
        name == "kind" or bool(values[name] & set(wanted)) for name, wanted in where.items()
    )


def is_other(question: Mapping[str, Any]) -> Callable[[dict[str, set[Any]]], bool]:
    where, versus = question["where"], question["versus"]
    if versus != "others":
        return fits(versus)
    if "player" in where:
        rest = {name: values for name, values in where.items() if name != "player"}
        return lambda values: fits(rest)(values) and not fits({"player": where["player"]})(values)
    return lambda values: not fits(where)(values)


def clustered(of: Mapping[int, Sequence[int]], exact: bool) -> tuple[dict[int, np.ndarray[Any, Any]], Sum]:
    """Return x and y by cluster, and their sums."""
    by_cluster: dict[int, np.ndarray[Any, Any]] = defaultdict(lambda: np.zeros(2))
    for number, pair in of.items():
        by_cluster[number if exact else number // 2] += np.array(pair)
    pairs = np.array([*by_cluster.values(), np.zeros(2)])
    x, y = pairs.T
    n = int((y > 0).sum())
    return by_cluster, Sum("", "", n, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())


QUESTIONS: tuple[dict[str, Any], ...] = (
    {"metric": "mistakes", "by": []},
    {"metric": "mistakes", "by": ["player"]},
    {"metric": "mistakes", "by": ["kind"]},
    {"metric": "mistakes", "by": ["phase", "kind"], "where": {"player": [0, 2]}},
    {"metric": "mistakes", "by": ["kind", "player"], "where": {"kind": [1]}},
    {"metric": "mistakes", "by": ["month"], "where": {"kind": [1], "players": [1]}},
    {"metric": "mistakes", "by": ["before", "after"], "where": {"after": [0, 1]}},
    {"metric": "mistakes", "by": ["partner", "seat"], "where": {"year": [0]}},
    {"metric": "mistakes", "by": ["phase"], "where": {"player": [0]}, "versus": "others"},
    {"metric": "mistakes", "by": ["phase"], "where": {"partner": [1], "player": [0]}, "versus": "others"},
    {"metric": "mistakes", "by": ["partner"], "where": {"players": [1], "phase": [0]}, "versus": "others"},
    {"metric": "mistakes", "by": ["kind"], "where": {"player": [0]}, "versus": {"before": [0], "phase": [1]}},
    {"metric": "mistakes", "by": ["seat"], "where": {"player": [0]}, "versus": "others"},
    {"metric": "mistakes", "by": ["kind", "phase"], "where": {"month": [0]}, "versus": "others"},
    {"metric": "score", "by": ["player"]},
    {"metric": "score", "by": ["partner"], "where": {"player": [1, 2]}},
    {"metric": "score", "by": ["player", "partner"], "where": {"player": [0, 1]}},
    {"metric": "score", "by": ["partner", "player"], "where": {"partner": [0]}},
    {"metric": "score", "by": ["players", "month"], "where": {"player": [0], "partner": [3]}},
    {"metric": "score", "by": ["month"], "where": {"player": [0]}, "versus": "others"},
    {"metric": "score", "by": [], "where": {"players": [0]}, "versus": {"players": [1]}},
)


@pytest.mark.parametrize("exact", [True, False])
def test_answers_are_those_of_a_loop(games: list[Game], tmp_path: Path, open_page: Open, exact: bool) -> None:
    page = open_page(write_page(tmp_path / "explore.html", packed(games, PEOPLE, exact=exact)))
    differences = clear = 0
    for asked in QUESTIONS:
        question = {"where": {}, "versus": None, **asked}
        shown = {tuple(row["values"]): row for row in page.evaluate(ANSWER, question)}
        share = question["metric"] == "mistakes"
        scale = 100 if share else 1
        own = sums_of(games, question, fits(question["where"]))
        others = sums_of(games, question, is_other(question)) if question["versus"] else {}
        groups = {g for found in (own, others) for g, of in found.items() if any(y for _, y in of.values())}
        assert set(shown) == groups, question
        judged = [
            row
            for row in shown.values()
            if row["low"] is not None and (row["other"] or row)["low"] is not None
        ]
        for group in groups:
            sides = [(own, shown[group])] + ([(others, shown[group]["other"])] if question["versus"] else [])
            known = []
            for found, row in sides:
                by_cluster, sums = clustered(found.get(group, {}), exact)
                played = sum(y > 0 for _, y in found.get(group, {}).values())
                assert [row[name] for name in ("x", "y", "n", "games")] == [sums.x, sums.y, sums.n, played]
                if sums.y < (30 if share else 1):
                    assert row["value"] is None
                    continue
                interval = share_of_sums if share else mean_of_sums
                ends = interval(Sums(sums.x, sums.y, sums.xx, sums.xy, sums.yy), sums.n)
                assert row["value"] == pytest.approx(scale * sums.x / sums.y)
                is_known = (share or played >= 20) and not np.isnan(ends.low)
                expected = [pytest.approx(scale * end, rel=1e-6) if is_known else None for end in ends]
                assert [row["low"], row["high"]] == expected
                if is_known:
                    known.append((by_cluster, sums))
            gap = shown[group]["difference"]
            if len(known) < 2:
                assert gap is None
                continue
            value, half = difference(known, share, 1 - 0.05 / len(judged))
            differences += 1
            clear += gap["isClear"]
            # The page's quantile is an approximation if there are several differences.
            assert gap["value"] == pytest.approx(scale * value)
            assert gap["high"] - gap["value"] == pytest.approx(
                scale * half, rel=1e-6 if len(judged) == 1 else 2e-3
            )
            assert gap["isClear"] == (gap["low"] > 0 or gap["high"] < 0)
    assert differences > 15
    assert 0 < clear < differences


def difference(known: Sequence[Any], share: bool, level: float) -> tuple[float, float]:
    """Return a difference of ratios and half its interval, from the influence of every cluster."""
    (one, first), (other, second) = known
    a, b = first.x / first.y, second.x / second.y

    def influence(pairs: Mapping[int, Any], cluster: int, sums: Sum) -> float:
        x, y = pairs.get(cluster, (0, 0))
        return float((x - sums.x / sums.y * y) / sums.y)

    clusters = sorted({*one, *other})
    mine, theirs = (
        np.array([influence(pairs, cluster, sums) for cluster in clusters])
        for pairs, sums in ((one, first), (other, second))
    )
    pooled = (first.x + second.x) / (first.y + second.y)
    single = pooled * (1 - pooled) if share else 0.0
    few = min(first.n, second.n)
    own = max((mine**2).sum() * first.n / (first.n - 1), single / first.y)
    others = max((theirs**2).sum() * second.n / (second.n - 1), single / second.y)
    error = np.sqrt(own + others - 2 * (mine * theirs).sum() * few / (few - 1))
    return a - b, float(student(0.5 + level / 2, few - 1) * error)


def test_three_questions_worked_by_hand(tmp_path: Path, open_page: Open) -> None:
    """Twenty games of Ada and Bela: Ada errs once in four discards, Bela twice; the scores are 10 and 20."""
    games = make_games(2, 20)
    for number, game in enumerate(games):
        game.party, game.month, game.score = [0, 1], number % 2, 10 + 10 * (number % 2)
        game.turns = [(0, 0, 4, [1, 0]), (1, 1, 4, [1, 1])]
    page = open_page(write_page(tmp_path / "explore.html", packed(games, ("Ada", "Bela"))))
    ada, bela = page.evaluate(ANSWER, {"metric": "mistakes", "by": ["player"]})
    assert [ada[name] for name in ("labels", "x", "y", "games", "value")] == [["Ada"], 20, 80, 20, 25]
    assert [bela[name] for name in ("labels", "x", "y", "games", "value")] == [["Bela"], 40, 80, 20, 50]
    # All games are alike, so the variance is that of independent discards: 0.375 * 0.625 * (1/80 + 1/80).
    [both] = page.evaluate(
        ANSWER, {"metric": "mistakes", "by": [], "where": {"player": [0]}, "versus": "others"}
    )
    half = 100 * student(0.975, 19) * (0.375 * 0.625 / 40) ** 0.5
    assert both["difference"]["value"] == -25
    assert both["difference"]["high"] == pytest.approx(-25 + half)
    assert both["difference"]["isClear"]
    # Ten games a month are too few for an interval of a mean.
    months = page.evaluate(ANSWER, {"metric": "score", "by": ["month"]})
    assert [(row["labels"], row["value"], row["low"]) for row in months] == [
        (["2024-01"], 10, None),
        (["2024-02"], 20, None),
    ]


# --- the page ----------------------------------------------------------------------------------------------


def sentence(page: Any) -> str:
    return str(page.inner_text("#question"))


def address(page: Any) -> str:
    return str(page.evaluate("location.hash"))


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.dataset.role ?? document.activeElement.id"))


def test_the_sentence_is_edited_by_mouse(file: Path, open_page: Open) -> None:
    page = open_page(file)
    assert sentence(page) == "Mistakes by player"
    page.click("[data-role=filter]")
    page.click("[role=option]:has-text('team size')")
    page.click("[role=option]:has-text('3 players')")
    assert sentence(page) == "Mistakes by player in 3-player games"
    page.click("#menu .foot button:has-text('Done')")
    page.click("[data-role=by0]")
    page.click("[role=option]:has-text('month')")
    page.click("[data-role=filter]")
    page.click("[role=option]:has(bdi:text-is('player'))")
    for name in ("Ada", "Chiara, jr."):
        page.click(f"[role=option]:has-text('{name}')")
    page.keyboard.press("Escape")
    page.click("[data-role=versus]")
    page.click("[role=option]:has-text('everyone else')")
    assert sentence(page) == (
        "Mistakes by month in 3-player games, for Ada or Chiara, jr., compared with everyone else"
    )
    assert address(page) == "#metric=mistakes&by=month&players=3&player=Ada,Chiara%2C%20jr.&versus=others"
    page.click("[data-role='where.players']")
    page.click("#menu .remove")
    page.click("[data-role=metric]")
    page.click("[role=option]:has-text('Score')")
    assert sentence(page) == "Score by month for Ada or Chiara, jr., compared with everyone else"
    settled(page)
    assert page.locator("#figure .main-svg").count()


def test_the_sentence_is_edited_by_keyboard(file: Path, open_page: Open) -> None:
    page = open_page(file)
    page.focus("[data-role=by0]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "combobox"
    page.keyboard.type("aft")
    page.keyboard.press("Enter")
    becomes(page, lambda: focused(page), "by0")
    assert sentence(page) == "Mistakes by after"
    page.focus("[data-role=filter]")
    page.keyboard.press("Enter")
    page.keyboard.type("team")
    page.keyboard.press("Enter")
    assert focused(page) == "options"
    page.keyboard.press("3")  # to "3 players"
    page.keyboard.press(" ")
    page.keyboard.press("Escape")
    becomes(page, lambda: focused(page), "where.players")
    assert sentence(page) == "Mistakes by after in 3-player games"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")  # changes nothing
    becomes(page, lambda: focused(page), "where.players")
    assert address(page) == "#metric=mistakes&by=after&players=3"


def test_back_and_a_link_bring_a_question_again(file: Path, open_page: Open) -> None:
    page = open_page(file)
    page.click("#questions a >> nth=1")
    asked = "Mistakes overall for Ada, compared with everyone else"
    becomes(page, lambda: sentence(page), asked)
    page.click("[data-role=by0]")
    page.click("[role=option]:has-text('phase')")
    link = address(page)
    assert link == "#metric=mistakes&by=phase&player=Ada&versus=others"
    lead = page.inner_text("#lead")
    page.go_back()
    becomes(page, lambda: sentence(page), asked)
    page.go_forward()
    becomes(page, lambda: address(page), link)
    again = open_page(file, tail=link)
    assert again.inner_text("#lead") == lead
    for question in QUESTIONS:
        whole = {"where": {}, "versus": None, **question}
        assert page.evaluate("(question) => fromAddress(addressOf(question))", whole) == [whole, []]
    odd = open_page(
        file, tail="#metric=mistakes&by=month,nothing&player=Nobody%3Cb%3E&players=3&constructor=1&%"
    )
    assert sentence(odd) == "Mistakes by month in 3-player games"
    assert odd.inner_text("#missing") == "Not in this page: nothing, Nobody<b>, constructor, %."


def test_files_and_python(file: Path, open_page: Open) -> None:
    page = open_page(file)
    code = page.evaluate(
        "pythonOf({ metric: 'mistakes', by: ['month', 'player'], where: { player: [2], players: [1] },"
        " versus: 'others' })"
    )
    assert code == (
        'hz.analysis.explore(db, "mistakes", by=["month", "player"],'
        ' where={"player": ["Chiara, jr."], "players": [3]}, versus="others")'
    )
    for text in (*NASTY, "\n\\'\"\x00\u2028\U0001f600\U000e0001"):
        literal = page.evaluate("(text) => pythonLiteral(text)", text)
        assert eval(literal) == text
        assert literal.isprintable()
    with page.expect_download() as download:
        page.click("#csv")
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert lines[0] == '"player","value","low","high","x","y","games"'
    assert len(lines) == 1 + len(PEOPLE)
    assert any(line.startswith('"\'=1+1",') for line in lines)
    with page.expect_download() as download:
        page.click("#png")
    assert Path(download.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    page.problems[:] = [one for one in page.problems if not one.startswith("request of blob:null/")]


def test_numbers_and_the_games_behind_them(games: list[Game], file: Path, open_page: Open) -> None:
    page = open_page(file, tail="#metric=mistakes&by=player")
    page.click("#numbers summary")
    page.click("#table thead button:has-text('discards') >> nth=-1")
    column = page.eval_on_selector_all(
        "#table tbody td:nth-child(5)", "all => all.map((one) => one.textContent)"
    )
    assert len(column) == len(PEOPLE)
    numbers = [int(text.replace(",", "")) for text in column]
    assert numbers == sorted(numbers, reverse=True)
    assert page.get_attribute("#table thead th:nth-child(5)", "aria-sort") == "descending"
    page.click("#table tbody .open:has-text('Ada')")
    of_ada = sums_of(games, {"metric": "mistakes", "by": []}, fits({"player": [0]}))[()]
    expected = sorted(((x, y, n) for n, (x, y) in of_ada.items() if y), key=lambda one: (-one[0], -one[1]))
    listed = page.eval_on_selector_all("#behind-list li", "all => all.map((one) => one.textContent)")
    assert [text.partition("Game")[0] for text in listed] == [f"{x} of {y}" for x, y, _ in expected]
    links = set(page.eval_on_selector_all("#behind-list a", "all => all.map((one) => one.href)"))
    assert links == {f"https://example.org/{n}" for _, _, n in expected if n % 2}
    page.keyboard.press("Escape")
    page.focus("#figure")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#said").startswith("player: ")
    page.keyboard.press("Enter")
    assert page.locator("#behind").is_visible()


def test_a_click_on_a_mark_opens_its_games(file: Path, open_page: Open) -> None:
    page = open_page(file, tail="#metric=mistakes&by=player")
    page.locator("#figure .points path").first.click(force=True)
    first = page.evaluate(
        "labelOf(now.question, now.rows[document.getElementById('figure').data[0].customdata[0]])"
    )
    becomes(page, lambda: page.inner_text("#behind-title"), f"Mistakes: {first}")


def test_panels_say_whose_they_are_and_axes_begin_at_0(file: Path, open_page: Open) -> None:
    page = open_page(file, tail="#metric=mistakes&by=player,partner")
    heads = page.evaluate("document.getElementById('figure').layout.annotations.map(({ text }) => text)")
    assert [head.split(" ")[0] for head in heads if head.startswith("<b>")] == ["<b>Partner"] * len(PEOPLE)
    # An axis needs two different values to begin elsewhere than at 0.
    alone = {"value": 9, "low": None, "high": None}
    assert page.evaluate("(row) => rangeOf([row], 0.1)", alone) == pytest.approx([0, 9.72])
    assert page.evaluate("(row) => rangeOf([row, { ...row, value: 10 }], 0.1)", alone)[0] == pytest.approx(
        8.88
    )


def test_without_games_the_page_gives_code(games: list[Game], tmp_path: Path, open_page: Open) -> None:
    page = open_page(write_page(tmp_path / "explore.html", packed(games, PEOPLE, exact=False)))
    page.evaluate("openBehind(now.rows[0])")
    assert page.inner_text("#behind-about").startswith("This page counts games together")
    assert page.inner_text("#behind-code") == 'hz.analysis.explore(db, "mistakes", where={"player": ["Ada"]})'


EVERYWHERE = (
    "#metric=mistakes&by=player",
    "#metric=mistakes&by=player&players=3&versus=others",
    "#metric=mistakes&by=month,phase",
    "#metric=mistakes&by=month&versus=others&players=2",
    "#metric=mistakes&by=before,after",
    "#metric=score&by=player,partner&versus.players=2&players=3",
    "#metric=mistakes",
)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_hostile_names_fit_and_do_nothing(tmp_path: Path, open_page: Open, width: int, dark: bool) -> None:
    """`open_page` sees that nothing is requested, said or run."""
    people = (*NASTY, "Ada")
    file = write_page(tmp_path / "explore.html", packed(make_games(len(people), 200), people))
    page = open_page(file, width=width, dark=dark)
    for tail in EVERYWHERE:
        page.evaluate("(tail) => { location.hash = tail }", tail)
        asked = page.evaluate("addressOf(fromAddress(location.hash)[0])")
        turns_true(page, "(asked) => addressOf(now.question) === asked", asked)
        settled(page)
        page.evaluate("document.getElementById('numbers').open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("main script, main img, main b b").count() == 0
    page.evaluate("ask({ where: { player: [0, 4] } })")
    page.click("[data-role='where.player']")
    assert SCRIPT in page.inner_text("#options")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_in_firefox(file: Path, firefox: Any) -> None:
    page = firefox.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(file.resolve().as_uri() + "#metric=mistakes&by=phase&player=Ada&versus=others")
    settled(page)
    assert sentence(page) == "Mistakes by phase for Ada, compared with everyone else"
    assert page.locator("#figure .main-svg").count()
    page.click("[data-role=metric]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    becomes(page, lambda: sentence(page), "Score overall for Ada, compared with everyone else")
    becomes(page, lambda: focused(page), "metric")
    assert problems == []
