"""`hanalyze review`: one game as a page for the browser.

In: a log, and which of its games. Out: an HTML file that opens from disk, and its path on standard output.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hanalyze.cli.exits import complain
from hanalyze.cli.options import Judge, Level, PlayThreshold, System, level_of
from hanalyze.errors import HanalyzeError
from hanalyze.store.judging_options import PLAY
from hanalyze.text import printable

if TYPE_CHECKING:
    from hanalyze.logs.record import GameRecord

EXAMPLES: Final = """\b
Examples:
  hanalyze review game.json
  hanalyze review game.json -o game.html
  hanalyze review games.jsonl --nth 2 --open
  hanalyze review games.jsonl --game p3v0s7
  hanalyze review hanab.live/replay/101785#45 --open
"""


def review(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A log: a game, an array or a game per line, also .gz; - for standard input; or the"
            " number of a game on hanab.live, or a link to it.",
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write, - for standard output; default: the game's number or seed with"
            " .html, in this folder.",
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which of several games: its id or seed.")
    ] = None,
    nth: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Which of several games: its number, from 1.")
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--mistakes",
            metavar="DIR",
            help="A folder with more definitions of mistakes (.sql), which can only query the game.",
        ),
    ] = None,
    system: System = None,
    level: Level = None,
    play_threshold: PlayThreshold = PLAY,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Make a page for one game: the board turn by turn, what each player could know, and the mistakes.

    The page is one HTML file that works without a network. A game on hanab.live is fetched once and kept; a
    link that ends in #45 opens the page at turn 45. Prints the path of the file; an existing file is
    replaced.
    """
    from hanalyze.report.game.review import page_name, write_review

    if open_ and output == "-":
        raise HanalyzeError("--open needs a file to open", rule="usage", advice="give -o FILE")
    record = _the_game(path, game, nth)
    target = output or page_name(record)
    if system is None and _follows_another(record):
        complain(
            "the players do not seem to follow the H-Group's conventions: judged by logic;"
            " --system h_group judges by conventions"
        )
        system = Judge.NONE
    write_review(record, target, folder, level_of(system, level), play_threshold)
    if target != "-":
        typer.echo(printable(target))
    if open_:
        import pathlib
        import webbrowser

        from hanalyze.logs.sources.game_references import turn_of

        turn = turn_of(path)
        place = "" if turn is None else f"#turn={turn}"
        webbrowser.open(pathlib.Path(target).resolve().as_uri() + place)


def _follows_another(record: GameRecord) -> bool:
    """Return whether a game surely was not played by the H-Group's conventions."""
    from hanalyze.replaying import replay

    played = replay(record)
    plays = [
        clued for action, clued in played.turns.select("action", "clued").iter_rows() if action == "play"
    ]
    if 2 * sum(not clued for clued in plays) <= len(plays):
        # The guess takes longer than this.
        return False
    from hanalyze.analysis.systems import games_of_others

    return bool(games_of_others(played))


def _the_game(path: str, game: str | None, nth: int | None) -> GameRecord:
    """Return the one game that is meant."""
    from hanalyze.logs.files import read

    records: Iterator[GameRecord] = read([path])
    if nth is not None:
        records = itertools.islice(records, nth - 1, nth)
    if game is not None:
        records = (one for one in records if game in (str(one.id), one.seed, one.name))
    found = list(itertools.islice(records, 2))
    if not found:
        what = "no game" if game is None and nth is None else "no such game"
        raise HanalyzeError(what, rule="no_such_game", file=path, game=game, advice="see `hanalyze replay`")
    if len(found) > 1:
        same = found[0].name == found[1].name
        names = " and ".join(one.name + f" (line {one.line})" * same for one in found)
        raise HanalyzeError(
            f"several games, among them {names}",
            rule="not_one_game",
            file=path,
            advice="choose one with --nth" if game is not None else "choose one with --game or --nth",
        )
    return found[0]
