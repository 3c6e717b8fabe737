"""HTML of games, positions and databases for notebooks; frontends without HTML show text."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import card_name
from hanalyze.text import shorten

if TYPE_CHECKING:
    from hanalyze.position import Position
    from hanalyze.replaying import Replay
    from hanalyze.store import Database

_HEIGHT: Final = 820
"""Height of a frame in pixels, if the notebook blocks the script that fits the frame to its page."""

_FIT: Final = (
    "const channel = new MessageChannel();"
    " channel.port1.onmessage = ({data}) =>"
    " { this.style.height = Math.min(Math.max(Number(data) || 0, 200), 20000) + 'px'; };"
    " this.contentWindow.postMessage('height', '*', [channel.port2]);"
)
"""Script that runs when a frame is loaded; it gives the page a port that only reports its height."""

_CELL: Final = "padding:.15em .7em;text-align:left;border:0"
_NUMBER: Final = "padding:.15em .7em;text-align:right;border:0;font-variant-numeric:tabular-nums"


def replay_html(replay: Replay) -> str:
    """Return a frame with the game's review page, or the last board and the error if the page fails."""
    from hanalyze.report.game.review import review

    try:
        page = review(replay)
    except HanalyzeError as error:
        board = position_html(replay.state(replay.turn_count))
        game, why = _text(repr(replay), 300), _text(str(error), 300)
        return f"<p>{game}</p>{board}<p>No review page: {why}</p>"
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts"'
        f' onload="{html.escape(_FIT, quote=True)}" title="{_text(repr(replay))}"'
        f' style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
    )


def position_html(position: Position) -> str:
    """Return a position's summary, stacks, discards and table of hands, the newest card first."""
    letters = position.letters
    hands = "".join(
        f'<tr><th style="{_CELL}">{_text(position.players[seat])}{" ▸" if seat == position.seat else ""}</th>'
        + "".join(
            f'<td style="{_CELL}">{_text(card_name(card.card, letters)) if card.card else "?"}'
            f"{'<sup>•</sup>' if card.clued else ''}</td>"
            for card in reversed(hand)
        )
        + "</tr>"
        for seat, hand in enumerate(position.hands)
    )
    discards = " ".join(card_name(card, letters) for card in position.discards) or "none"
    return (
        f"<div><p>{_text(position.summary, 300)}</p>"
        f"<p>stacks {html.escape(' '.join(position.stack_tops))}; discards {html.escape(discards)}</p>"
        f'<table style="border-collapse:collapse">{hands}</table>'
        "<p>newest card first; • clued; ▸ to move</p></div>"
    )


def database_html(db: Database) -> str:
    """Return a database as a table of scores by team size and variant, at most the 12 most frequent."""
    rows = db.sql(
        """
        SELECT players, variant, count(*) AS games, avg(score) AS mean,
            count(*) FILTER (WHERE score = full_score) AS perfect
        FROM games GROUP BY ALL ORDER BY games DESC, players, variant
        """
    ).rows()
    heads = ("players", "variant", "games", "mean score", "perfect games")
    head = "".join(f'<th style="{_NUMBER if name != "variant" else _CELL}">{name}</th>' for name in heads)
    body = "".join(
        f'<tr><td style="{_NUMBER}">{players}</td><td style="{_CELL}">{_text(variant)}</td>'
        f'<td style="{_NUMBER}">{games:,}</td><td style="{_NUMBER}">{mean:.2f}</td>'
        f'<td style="{_NUMBER}">{perfect:,}</td></tr>'
        for players, variant, games, mean, perfect in rows[:12]
    )
    total = sum(row[2] for row in rows)
    more = f"<p>and {len(rows) - 12:,} more rows</p>" if len(rows) > 12 else ""
    return (
        f"<div><p>{_text(repr(db))}: {total:,} games</p>"
        f'<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>{more}</div>'
    )


def _text(text: str, most: int = 60) -> str:
    """Escape untrusted text for HTML and shorten it to `most` characters."""
    return html.escape(shorten(text, most), quote=True)


def register(shell: Any) -> None:
    """Register HTML display in an IPython shell; as plain text, a position is shown as its table."""
    formatters = shell.display_formatter.formatters
    formatter = formatters["text/html"]
    formatter.for_type_by_name("hanalyze.replaying", "Replay", replay_html)
    formatter.for_type_by_name("hanalyze.position", "Position", position_html)
    formatter.for_type_by_name("hanalyze.store.database", "Database", database_html)
    formatters["text/plain"].for_type_by_name(
        "hanalyze.position", "Position", lambda position, printer, _: printer.text(str(position))
    )
