"""`hanalyze replay`: the options, and what they mean.

In: the command line. Out: what `games.py` shows for it.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

EXAMPLES: Final = """\b
Examples:
  hanalyze replay games.jsonl
  hanalyze replay games.jsonl --nth 2 --turn 10
  hanalyze replay games.jsonl --game p3v0s7 --turn 10 --hide Bob
  hanalyze replay games.jsonl --json
  hanalyze replay hanab.live/replay/101785#45
"""

_SEAT_HELP: Final = (
    "Show the game as this player saw it, own hand face down: a name, or a number from 1; repeatable."
)


def replay(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Logs: a game, an array of games or a game per line, also .gz; - for standard input; or the"
            " number of a game on hanab.live, or a link to it.",
        ),
    ],
    turn: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Show the position before turn N instead; the first turn is 1, -1 the end."
        ),
    ] = None,
    hide: Annotated[
        list[str] | None, typer.Option("--hide", "--seat", metavar="NAME", help=_SEAT_HELP)
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Players whose hands are face up, as in Alice,3; all others are face down.",
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help="Only games with this id or seed.")] = None,
    nth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the Nth game, from 1.")] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Override the log's rules: hanab-live, hle, hanabi-data, cocktail, keldon,"
            " abacus, rnr, everdeck; changes follow, as in abacus+farbrausch or hle+strikes=1.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Skip games that break a rule, and exit with 1 if there are any.")
    ] = False,
    forgive: Annotated[
        list[str] | None,
        typer.Option(metavar="DEFECT", help="Ignore this defect, by its name in the output; repeatable."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one object per game.")] = False,
) -> None:
    """Replay recorded games and show every turn.

    Shows each action and its result, then the end of the game and a line for every rule that the log breaks;
    for a link that ends in #45, the position before turn 45. Exits with 0; with 1 if a log breaks a rule and
    --strict is given; with 2 if a file does not exist, is not a log, or cannot be dealt. The other games are
    still shown.
    """
    from hanalyze.cli.games import Wish, show_games
    from hanalyze.logs.sources.game_references import turn_of

    wish = Wish(
        turn=turn_of(paths[0]) if turn is None and len(paths) == 1 else turn,
        hide=tuple(hide or ()),
        seats=seats,
        edition=edition,
        strict=strict,
        forgive=tuple(name.replace("-", "_") for name in forgive or ()),
        game=game,
        nth=nth,
        as_json=as_json,
    )
    raise typer.Exit(show_games(paths, wish))
