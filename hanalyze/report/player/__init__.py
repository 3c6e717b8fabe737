"""Page about one player's own decisions, as a single HTML file with pictures drawn in SVG."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hanalyze.analysis.peers import ENOUGH
from hanalyze.analysis.player import Profile
from hanalyze.lazy import needed
from hanalyze.report.page import policy, render, script_of, source
from hanalyze.report.theme import theme_css
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.levels import FEWEST_SIGNALS, USUAL_LEVEL
from hanalyze.store.listings import find_sites, level_read
from hanalyze.text import apart, games_apart, plural, printable
from hanalyze.version import __version__
from hanalyze.words import rounded

_NAME: Final = 40
"""Maximum length of the player's name on the page."""
_ROLES: Final = {
    "giver": "As giver of clues",
    "receiver": "As receiver of clues",
    "holder": "As holder of cards",
}
_FAMILIES: Final = {"clue": "Clue mistakes", "play": "Play mistakes", "discard": "Discard mistakes"}
_CHOSEN: Final = {"strength": "Less often than peers: ", "work on": "More often than peers: ", "costly": ""}
"""First words of the title of an item, by its group (see `Profile.chosen`)."""
_TOGETHER: Final = " Player and peers always play together, so only decisions can be compared, not scores."
_FEW_SIGNALS: Final = 20
"""With fewer signals, the evidence for a level begins with "Few signals"."""
_HEIGHT: Final = 200
"""Height of the curve of form in pixels, without its labels."""


def player_page(
    db: Database,
    profile: Profile,
    *,
    games: str | None = None,
    pages: Mapping[int, str] | None = None,
    quiz: str | None = None,
) -> str:
    """Return the page about a player as HTML.

    `profile` is the result of `hanalyze.analysis.player.me`. `games` is the path of the games in the command
    of a quiz, by default the file of the database. `pages` maps `game_id` to addresses of review pages; other
    positions link to hanab.live if that site can show the game. `quiz` is the address of a quiz of
    `profile.positions`. Raises `HanalyzeError` without Jinja2 (rule `no_jinja2`).
    """
    needed("jinja2")
    [name] = apart([profile.player], _NAME)
    rows = {row["kind"]: row for row in profile.rates.to_dicts()}
    styles = map(source, ("panels.css", "dashboard/page/dashboard.css", "player/page/player.css"))
    style = theme_css() + "".join(styles)
    script = script_of(("theme.js",))
    items = _items(db, profile, name, pages or {}, quiz)
    shown = [row for row in rows.values() if row["opportunities"] >= ENOUGH]
    ends = [max(row["high"] or row["rate"], row["peers"] or 0) for row in shown]
    whole = _axis_end([0.04, *ends], 25)
    kinds = [row for kind, row in rows.items() if kind not in FAMILIES]
    return render(
        "player/page/page.html",
        policy=policy((script,), (style,)),
        style=style,
        script=script,
        name=name,
        games=plural(profile.games, "game"),
        peers=_peers(profile),
        keys=[(title, _row(rows[family], whole)) for family, title in _FAMILIES.items() if family in rows],
        level=_level(db, profile, name),
        strengths=[one for what, one in items if what == "strength"],
        work=[one for what, one in items if what != "strength"],
        command=_command(games or db.file or "DB", profile.player),
        read=level_read(db) is not None,
        form=_form(profile, name),
        roles=[
            (title, [_row(row, whole) for row in kinds if row["role"] == role])
            for role, title in _ROLES.items()
            if any(row["role"] == role for row in kinds)
        ],
        axis=[(place, f"{rounded(place * whole)}%") for place in (0, 25, 50, 75, 100)],
        enough=ENOUGH,
        definitions=[(definitions()[row["kind"]].title, definitions()[row["kind"]]) for row in kinds],
        version=__version__,
    )


def _peers(profile: Profile) -> str:
    others = plural(profile.peers, "other player")
    are_together = profile.peers_games == profile.games > 1
    return (
        f"Peers: {others} in {plural(profile.peers_games, 'game')} of the same team size and variant family,"
        " and of groups at the same level where it is known." + (_TOGETHER if are_together else "")
    )


def share(value: float | None, like: float | None = None) -> str:
    """Return a share in per cent, with one decimal if it (or its rate `like`) is below 10%; "" for None.

    >>> share(0.034), share(0.25), share(0.0), share(None), share(0.034, like=0.25)
    ('3.4%', '25%', '0%', '', '3%')
    """
    places = 1 if 0 < (value or 0 if like is None else like) < 0.1 else 0
    return "" if value is None else f"{rounded(100 * value, places)}%"


def _tone(verdict: str | None) -> str:
    """Return the CSS class of a verdict: `good`, `bad`, or empty for a small or unclear difference."""
    return {"better": "good", "worse": "bad"}.get((verdict or "").split(" ")[-1], "")


def _verdict(row: Mapping[str, Any]) -> str:
    if row["verdict"] == "unclear":
        return "no clear difference"
    if row["verdict"] is not None:
        return str(row["verdict"])
    if row["opportunities"] < ENOUGH:
        return "small sample"
    return "no comparison" if row["found"] or row["peers_found"] else "neither made any"


def _row(row: Mapping[str, Any], whole: float) -> dict[str, Any]:
    """Return a rate in words, and the places of its dots in per cent of the axis 0 to `whole` (or None)."""

    def place(value: float | None) -> float | None:
        return None if value is None else round(min(value / whole, 1.0) * 100, 2)

    title = definitions()[row["kind"]].title if row["kind"] not in FAMILIES else _FAMILIES[row["kind"]]
    low, high = (share(row[end], row["rate"]) for end in ("low", "high"))
    interval = f", 95% interval {low} to {high}" if low else ""
    peers = f"; peers {share(row['peers'])}" if row["peers"] is not None else ""
    return {
        "title": title,
        "rate": share(row["rate"]),
        "counts": f"{row['found']:,} of {row['opportunities']:,}",
        "small": row["opportunities"] < ENOUGH,
        "peers": share(row["peers"]),
        "peers_count": f"{row['peers_found']:,} of {row['peers_opportunities']:,}, weighted",
        "verdict": _verdict(row),
        "tone": _tone(row["verdict"]),
        "x": place(row["rate"]) or 0.0,
        "low": place(row["low"]),
        "high": place(row["high"]),
        "peers_x": place(row["peers"]),
        "label": f"{share(row['rate'])}{interval}{peers}",
    }


def _items(
    db: Database, profile: Profile, name: str, pages: Mapping[int, str], quiz: str | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return (group, item) of strengths, things to work on and costly kinds, each with its positions."""
    positions = profile.positions.to_dicts()
    keys = {row["game_id"] for row in positions}
    sites = find_sites(db, keys - pages.keys())
    names = games_apart(((row["game_id"], row["game"]) for row in positions), 24)
    found = []
    for what, before in _CHOSEN.items():
        for row in profile.chosen(what):
            kind = definitions()[row["kind"]]
            points = f" These mistakes cost {plural(row['points'], 'point')}." if row["points"] else ""
            difference = "" if what != "costly" else " The difference from peers is not clear."
            if what == "costly" and row["verdict"] is None:
                difference = " Too few decisions to compare."
            sentence = (
                f"{name}: {row['found']:,} of {row['opportunities']:,} {kind.opportunity}"
                f" ({share(row['rate'])}); peers: {share(row['peers']) or 'none'}.{difference}{points}"
            )
            listed = []
            start = None
            for number, one in enumerate(positions, 1):
                if one["kind"] == row["kind"]:
                    start = start or (quiz and f"{quiz}#puzzle={number}")
                    key, turn = one["game_id"], one["turn"] + 1
                    place = f"Game {names[key]}, turn {turn}"
                    address = f"{pages[key]}#turn={turn}" if key in pages else None
                    if address is None and key in sites:
                        address = f"{sites[key]}#{turn}"
                    listed.append((printable(one["text"]), place, address))
            title = before + (kind.title[:1].lower() + kind.title[1:] if before else kind.title)
            badge = "among the costliest" if what == "costly" else row["verdict"]
            tone = "" if what == "costly" else _tone(row["verdict"])
            item = {"title": title, "badge": badge, "tone": tone, "sentence": sentence}
            found.append((what, {**item, "positions": listed, "quiz": start}))
    return found


def _command(games: str, player: str) -> str | None:
    """Return the command of a quiz; None if a word is too long or has characters that no terminal shows."""
    words = ["hanalyze", "quiz", games, "--player", player, "--mistakes"]
    return shlex.join(words) if all(printable(word) == word and len(word) <= 200 for word in words) else None


def _level(db: Database, profile: Profile, name: str) -> tuple[str, str]:
    """Return the estimated level, and its evidence as a sentence."""
    if level_read(db) is None:
        return "not known", "The games were not read for conventions: hanalyze conventions DB."
    if profile.level is None:
        return f"{USUAL_LEVEL}", f"Assumed: no signal called a card of {name}."
    shown = any(one.given >= FEWEST_SIGNALS for one in profile.level.signals)
    few = "Few signals: " if sum(one.given for one in profile.level.signals) < _FEW_SIGNALS else ""
    evidence = str(profile.level).partition(": ")[2]
    words = f"{evidence}, of the signals that called a card of {name}."
    begin = few or "By the answers: " if shown else f"Assumed. {few}"
    return f"{profile.level.level}", begin + words


def _form(profile: Profile, name: str) -> dict[str, Any] | None:
    """Return sentence, paths and labels of the curve of form; None with fewer than two points."""
    rows = profile.form.drop_nulls("rate").to_dicts()
    if len(rows) < 2:
        return None
    top = _axis_end([row["high"] or row["rate"] for row in rows], 50)
    first, last = rows[0]["number"], rows[-1]["number"]

    def points(column: str) -> list[str]:
        return [
            f"{1000 * (row['number'] - first) / (last - first):.1f},"
            f"{_HEIGHT * (1 - min((row['rate'] if row[column] is None else row[column]) / top, 1)):.1f}"
            for row in rows
        ]

    trend = profile.trend
    lead = [f"In the last {rows[-1]['games']} games {name} made a mistake in", f"{share(rows[-1]['rate'])}"]
    lead.append("of the decisions in which one was possible.")
    if trend is not None:
        clear = trend.q_value <= 0.05
        earlier, later = trend.similar if clear else trend[:2]
        start = "No clear trend" if not clear else f"{'Fewer' if later < earlier else 'More'} mistakes lately"
        games = "similar games" if clear else "the games"
        lead[2] += f" {start}: {share(earlier)} in the first half of {games}, {share(later)} in the second."
    ends = [row["date"] or f"game {row['number']:,}" for row in (rows[0], rows[len(rows) // 2], rows[-1])]
    verb = "is" if profile.undated == 1 else "are"
    undated = f"{plural(profile.undated, 'game')} without a date {verb} left out."
    return {
        "lead": lead,
        "band": " ".join([*points("high"), *reversed(points("low"))]),
        "line": " ".join(points("rate")),
        "height": _HEIGHT,
        "ticks": [(_HEIGHT * (1 - part), share(part * top)) for part in (0, 0.5, 1)],
        "ends": ends,
        "games": rows[-1]["games"],
        "dated": rows[0]["date"] is not None,
        "undated": undated if profile.undated else "",
        "rows": [
            (
                f"{row['number']:,}",
                row["date"] or "",
                *(share(row[name], row["rate"]) for name in ("rate", "low", "high")),
            )
            for row in rows
        ],
    }


def _axis_end(shares: Sequence[float], parts: int) -> float:
    """Return the end of an axis for shares: the largest, rounded up to a multiple of 1 / `parts`, at most 1.

    >>> _axis_end([0.031, 0.057], 50), _axis_end([0.5], 50)
    (0.06, 0.5)
    """
    return min(1.0, math.ceil(parts * float(max(shares)) - 1e-9) / parts)
