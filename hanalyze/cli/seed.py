"""`hanalyze seed find`: the hanab.live seeds of games whose logs have only a deck.

In: logs. Out: for each game the seed that deals its deck, or that none does; as lines or as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hanalyze.engine.batch import Deal

EXAMPLES: Final = """\b
Examples:
  hanalyze seed find games.jsonl --up-to 20000
  hanalyze seed find games.jsonl --up-to 20000 --json
"""

_CHUNK: Final = 1000
"""Games that are held at a time."""


def seed(
    action: Annotated[str, typer.Argument(metavar="find", help="What to do: find.")],
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Logs, or folders of them.")],
    up_to: Annotated[
        int, typer.Option(metavar="N", help="The highest seed number that is tried for each team size.")
    ] = 1_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per game.")] = False,
) -> None:
    """Find the hanab.live seeds of decks.

    All seeds p{players}v{variant}s1 to sN are dealt once, which takes seconds per million, and kept in the
    cache folder; after that a deck is found at once. A seed that is found deals the very cards of the log. In
    games before April 2020 the first player could be any seat: logs that count seats from that player are
    found as well, with the number of the seat.
    """
    from hanalyze.cli.exits import Problems
    from hanalyze.errors import HanalyzeError

    if action != "find":
        raise HanalyzeError(f'there is no "{action}"', rule="usage", advice="use hanalyze seed find PATH")
    problems = Problems()
    games = found = 0
    for deal, row in _found(paths, up_to, problems):
        games += 1
        found += row["seed"] is not None
        _show(deal, row, as_json)
    if not as_json:
        typer.echo(f"seeds found for {found:,} of {games:,} games")
    raise typer.Exit(problems.code)


def _found(paths: list[str], up_to: int, problems: Any) -> Iterator[tuple[Deal, dict[str, Any]]]:
    """Yield each game with what is found of its seed."""
    import itertools

    from hanalyze.decks.finding import find_seed
    from hanalyze.engine.batch import deal_records
    from hanalyze.logs.files import read

    records = read(paths, on_error=problems.add)
    while chunk := list(itertools.islice(records, _CHUNK)):
        for deal in deal_records(chunk, on_error=lambda _, error: problems.add(error)):
            players = len(deal.record.players)
            size = deal.rules.hand_size(players)
            same = None
            if deal.variant.id is not None and deal.record.deck_known is None:
                same = find_seed(deal.deck, players, deal.variant, hand_size=size, up_to=up_to)
            yield (
                deal,
                {
                    "game": deal.record.name,
                    "seed": None if same is None else same.seed,
                    "rotation": None if same is None else same.rotation,
                },
            )


def _show(deal: Deal, row: dict[str, Any], as_json: bool) -> None:
    from hanalyze.cli.screen import show_json
    from hanalyze.cli.summary import title
    from hanalyze.text import shorten

    if as_json:
        show_json(row)
        return
    said = row["seed"] or "no seed found"
    if row["rotation"]:
        said += f", where {shorten(deal.record.players[0], 20)} is player {row['rotation'] + 1}"
    typer.echo("".join(text for text, _ in title(deal.record)) + f": {said}")
