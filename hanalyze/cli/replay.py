"""Options of `hanalyze replay`; the output is in `replay_output`, so that `--help` starts quickly."""

from __future__ import annotations

from typing import Annotated

from hanalyze.cli.options import Game, JsonGames, Nth
from hanalyze.cli.parameters import argument, examples, flag, option


@examples(
    "hanalyze replay games.jsonl",
    "hanalyze replay games.jsonl --nth 2 --turn 10",
    "hanalyze replay games.jsonl --game p3v0s7 --turn 10 --hide Bob",
    "hanalyze replay games.jsonl --json",
    "hanalyze replay hanab.live/replay/101785#45",
)
def replay(
    paths: Annotated[
        list[str], argument("PATH", "Logs, also .gz; - for stdin; a number or link of a game on hanab.live.")
    ],
    turn: Annotated[
        int | None, option("N", "Show the position before turn N instead; turns start at 1, -1 is the end.")
    ] = None,
    hide: Annotated[
        list[str] | None,
        option("NAME", "Hide this player's hand: a name or a number; repeatable.", "--hide", "--seat"),
    ] = None,
    seats: Annotated[
        str | None, option("NAMES", "Hide all hands but those of these players, such as Alice,3.")
    ] = None,
    game: Game = None,
    nth: Nth = None,
    edition: Annotated[
        str | None, option("TEXT", "Replace the log's rules by an edition, such as hle+strikes=1.")
    ] = None,
    strict: Annotated[bool, flag("--strict", "Skip games that break a rule, and exit with 1.")] = False,
    forgive: Annotated[
        list[str] | None, option("DEFECT", "Ignore this defect, by its name in the output; repeatable.")
    ] = None,
    as_json: JsonGames = False,
) -> None:
    """Replay recorded games and show every turn.

    Shows each action and its result, then the end of the game and a line for every rule that the log breaks;
    for a link that ends in #45, the position before turn 45. Exits with 0; with 1 if a log breaks a rule and
    --strict is given; with 2 if a file does not exist or is not a log, or a game cannot be dealt. The other
    games are still shown.

    Editions: hanab-live, hle, hanabi-data, cocktail, keldon, abacus, rnr, everdeck. Changes are added with +,
    as in abacus+farbrausch.
    """
    from hanalyze.cli.replay_output import show_replays

    selected = (paths, game, nth)
    show_replays(selected, turn, hide or (), seats, edition, strict, forgive or (), as_json=as_json)
