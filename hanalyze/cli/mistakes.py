"""Options of `hanalyze mistakes`; the output is in `mistakes_output`, which DuckDB need not wait for."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from hanalyze.cli.exits import UsageError
from hanalyze.cli.options import (
    Definitions,
    GamePaths,
    JsonRows,
    Kinds,
    Level,
    MemoryLimit,
    Minimum,
    PlayThreshold,
    System,
)
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.store.definitions import chosen, definition
from hanalyze.store.judging_options import PLAY
from hanalyze.store.one_game import opened_ahead
from hanalyze.text import printable


@examples(
    "hanalyze mistakes game.json",
    "hanalyze mistakes games.duckdb",
    "hanalyze mistakes games.duckdb --by player --kind discard",
    "hanalyze mistakes games.duckdb --list 20 --kind misplay",
    "hanalyze mistakes games.duckdb --player Alice",
    "hanalyze mistakes --explain discard_last_copy",
)
def mistakes(
    paths: GamePaths = None,
    by: Annotated[
        str | None,
        option("GROUP", "Show rates by player, team, month, turn and so on, as in `hanalyze stats`."),
    ] = None,
    kind: Kinds = None,
    player: Annotated[str | None, option("NAME", "Only this player's own decisions.")] = None,
    list_: Annotated[int | None, option("N", "List the N costliest mistakes.", "--list", min=1)] = None,
    show_all: Annotated[
        bool,
        flag(
            "--all", "For one game: also list blameless moves; with --by: each kind, with rate and interval."
        ),
    ] = False,
    minimum: Minimum = 30,
    explain: Annotated[str | None, option("KIND", "Show the definition of a kind, with its query.")] = None,
    folder: Definitions = None,
    system: System = None,
    level: Level = None,
    play_threshold: PlayThreshold = PLAY,
    memory_limit: MemoryLimit = None,
    as_json: JsonRows = False,
) -> None:
    """List the mistakes in games, judged by what the players could know.

    For one game, lists every turn with a mistake: the player, the evidence, and the better move. For several
    games, counts each kind. Blameless losses (could_not_know, forced, nothing_to_lose) have rows for their
    points, but do not count in rates.

    Logs are read for conventions first, so that a move does not count as a mistake if its meaning explains
    it; games of another system are judged by logic. A database is judged by conventions if
    `hanalyze conventions` has read its games, as in every command. `--system none` ignores conventions.
    """
    if explain is not None:
        text = definition(explain, folder).text
        typer.echo("".join(printable(line) + "\n" for line in text.splitlines()), nl=False)
        return
    if player is not None and by not in (None, "player", "partner"):
        raise UsageError("--player counts or lists the mistakes of one player", "give it without --by")
    kinds = list(chosen(kind or [], folder))
    is_one = by is None and list_ is None and memory_limit is None and len(paths or []) == 1
    with opened_ahead(paths[0], folder, play_threshold) if paths and is_one else nullcontext():
        from hanalyze.cli.mistakes_output import show_mistakes

        options = (folder, system, level, play_threshold)
        show_mistakes(paths, kinds, by, player, list_, minimum, options, memory_limit, as_json, show_all)
