"""`hanalyze solve` and `deals`: best scores with all cards open, lost points, and which deals can be won."""

from __future__ import annotations

import io
import itertools
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import typer
from msgspec.structs import replace

from hanalyze.cli.exits import Problems, UsageError, say_written
from hanalyze.cli.frame_text import frame_output
from hanalyze.cli.inputs import complain_of_cut, holds_database
from hanalyze.cli.options import Game, GameBudget, Jobs, JsonGames, Nth, SeedPlayers, SeedVariant, game_budget
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.screen import Screen, progress_bar, show_json
from hanalyze.cli.selection import seat_named, selected_games, turn_index
from hanalyze.cli.solve_output import Answer, best_score, best_scores, chances_of_moves, ranked_moves
from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import Rules
from hanalyze.game.variants import variant as named_variant
from hanalyze.kernels.compiling import pays_off
from hanalyze.lazy import polars as pl
from hanalyze.logs.formats.share_strings import NAMES
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.open_log import file_error
from hanalyze.output import write_bytes
from hanalyze.replaying import Replay, replay
from hanalyze.solver.deals import deals as solved_deals, dealt
from hanalyze.solver.question import ask
from hanalyze.solver.ranking import Sampling
from hanalyze.solver.solving import check_covered
from hanalyze.store import connect
from hanalyze.text import plural


@examples(
    "hanalyze solve games.jsonl --nth 1",
    "hanalyze solve games.jsonl --game p3v0s7 --turn 20",
    "hanalyze solve games.jsonl --game p3v0s7 --turn 20 --moves",
    "hanalyze solve games.jsonl --game p3v0s7 --turn 20 --as Bob",
    "hanalyze solve --deck p3v0s1",
    "hanalyze solve games.jsonl --json",
    "hanalyze solve games.duckdb",
    "hanalyze solve games.duckdb --budget 5000000",
)
def solve(
    paths: Annotated[list[str] | None, argument("PATH", "Logs, or a database.")] = None,
    turn: Annotated[int | None, option("N", "Solve only the position before turn N, from 1.")] = None,
    moves: Annotated[
        bool, flag("--moves", "With --turn: rank the moves by the best score still possible.")
    ] = False,
    player: Annotated[
        str | None, option("NAME", "With --turn: rank the moves by what this player knows.", "--as")
    ] = None,
    samples: Annotated[int | None, option("N", "With --as: sample N deals (default: 200).", min=1)] = None,
    seed: Annotated[int | None, option("N", "With --as: the seed of the samples (default: 1).")] = None,
    deck: Annotated[str | None, option("SEED", "Solve the deal of this seed instead of a game.")] = None,
    players: SeedPlayers = None,
    variant: SeedVariant = None,
    edition: Annotated[
        str | None, option("TEXT", "Replace the log's rules by an edition, such as hle+strikes=1.")
    ] = None,
    game: Game = None,
    nth: Nth = None,
    nodes: Annotated[
        int | None,
        option(
            "N",
            "Search at most N positions per score (default: 1,000,000, but for a whole game at most"
            " 10,000,000, or 500,000 without Numba; --moves: 100,000; --as: 20,000).",
            min=1,
        ),
    ] = None,
    seconds: Annotated[int | None, option("N", "Search at most N seconds for each score.", min=1)] = None,
    budget: GameBudget = None,
    jobs: Jobs = None,
    as_json: JsonGames = False,
) -> None:
    """Find the best score that a game allowed with all cards open, and where it was lost.

    Shows every move that lowered the best score and the reason, and a line of moves that would have reached
    that score. Each answer is proven: a legal line reaches the score, and a bound or an exhaustive search
    excludes more. Without a proof, the answer is a range, which more --nodes may narrow.

    With --as, the player's own hand and the deck are unknown: shows how often each legal move keeps the best
    score, over deals that fit what the player knows. If another player is to move, ranks that player's moves.

    In a database all games are solved, and the results are stored in the tables solved_games, best_scores and
    losses: `hanalyze stats DB --what hindsight-losses` adds them up. Games that were solved before are
    skipped, so the same command continues after an interruption; games without a proof are tried again with a
    larger budget.
    """
    if (moves or player is not None) and turn is None:
        which = "--moves" if player is None else "--as"
        raise UsageError(f"{which} needs a turn", "give --turn N")
    if player is None and (samples is not None or seed is not None):
        raise UsageError("--samples and --seed are for --as", "give --as NAME")
    if any(map(holds_database, paths or [])):
        of_logs = (turn, deck, players, variant, edition, game, nth, as_json or None)
        if any(value is not None for value in of_logs):
            what = "in a database all games are solved; the other options are for logs"
            raise UsageError(what, "leave them out, or give a log")
        _solve_database(paths or [], nodes=nodes, seconds=seconds, **game_budget(budget), jobs=jobs)
        return
    if budget is not None or jobs is not None:
        raise UsageError("--budget and --jobs are for databases", "give --nodes or --seconds")
    problems = Problems()
    if deck is not None and paths:
        raise HanalyzeError("give logs or --deck, not both", rule="two_inputs")
    if deck is None and not paths:
        raise UsageError("nothing to solve", "give a log, or --deck SEED")
    records: Iterable[GameRecord] = selected_games(paths or [], game, nth, problems)
    if deck is not None:
        record = dealt(deck, players, variant)
        records = [replace(record, players=NAMES[: len(record.players)])]
    screen = Screen()
    settings: dict[str, Any] = {"nodes": nodes, "seconds": seconds, "fast": None}
    sampling = Sampling(samples or Sampling().samples, Sampling().seed if seed is None else seed)

    def answer(played: Replay) -> Answer:
        if turn is None:
            return best_scores(played, settings) if played.turn_count else best_score(played, 0, settings)
        number = turn_index(played, turn)
        if player is not None:
            seat = seat_named(player, tuple(played.record.players))
            return chances_of_moves(played, number, seat, sampling, settings)
        return (ranked_moves if moves else best_score)(played, number, settings)

    start = time.perf_counter()
    for count, record in enumerate(records):
        try:
            played = replay(record, edition=edition)
            complain_of_cut(played)
            result = answer(played)
            if as_json:
                show_json(result.value)
            else:
                screen.show([*([[]] if count else []), *result.lines()])
        except HanalyzeError as error:
            problems.add(error.at(file=record.file, line=record.line, game=record.name))
        # Compile after the games so far took long enough; the remaining games may take as long.
        settings["fast"] = True if pays_off(time.perf_counter() - start, ask) else None
    raise typer.Exit(problems.code)


def _solve_database(paths: list[str], **settings: Any) -> None:
    if len(paths) > 1:
        raise UsageError("a database and other paths were given", "give one database, or logs")
    with connect(paths[0], files_in=()) as db, progress_bar() as show:
        solving = db.solve(on_progress=show, **settings)
    rate = solving.games / solving.seconds if solving.seconds else 0
    typer.echo(f"{solving}; {solving.seconds:.1f} s, {rate:,.0f} games/s")


_RANGE: Final = re.compile(r"(?P<head>.*?)(?P<first>\d{1,18})\.\.(?P<again>.*?)(?P<last>\d{1,18})")


@examples(
    "hanalyze deals p3v0s1..p3v0s1000 -o deals.parquet",
    "hanalyze deals p2v0s1 p2v0s2 p2v0s3",
    "hanalyze deals seeds.txt --players 4 -o deals.jsonl",
)
def deals(
    seeds: Annotated[
        list[str], argument("SEED", "Seeds, ranges like p3v0s1..p3v0s1000, or files of seeds; - for stdin.")
    ],
    output: Annotated[
        str | None,
        option("FILE", "The .parquet or .jsonl file to write (default: a table).", "--output", "-o"),
    ] = None,
    runs: Annotated[int, option("N", "Noisy runs of a beam search of width 1 per deal.", min=0)] = 20,
    players: SeedPlayers = None,
    variant: SeedVariant = None,
    nodes: Annotated[int, option("N", "Search at most N positions for each score.", min=1)] = 1_000_000,
    jobs: Jobs = None,
    as_json: Annotated[bool, flag("--json", "Print JSON lines, one object per deal.")] = False,
) -> None:
    """Check which deals can be won with all cards open, and how hard they are.

    Prints one row per deal: whether the full score can be reached, the best score, the number of searched
    positions, and how many noisy runs of a narrow beam search reach the full score: the fewer, the harder the
    deal. schemas/columns.md describes the columns of JSON and files. Seeds that cannot be dealt or solved are
    listed and left out; the exit code is then 2.
    """
    ending = None if output is None else os.path.splitext(output)[1].lower()
    if ending not in (None, ".parquet", ".jsonl"):
        raise UsageError("unknown file ending", "use one of these endings: .parquet, .jsonl", file=output)
    dealt("p2v0s1", players, variant)  # reports wrong options once, not for every seed
    problems = Problems()
    valid = _valid(_seeds(seeds), players, variant, problems)
    frame = solved_deals(valid, players=players, variant=variant, runs=runs, nodes=nodes, jobs=jobs)
    if frame.height and output is not None:
        data = io.BytesIO()
        (frame.write_parquet if ending == ".parquet" else frame.write_ndjson)(data)
        write_bytes(data.getvalue(), output)
        say_written(plural(frame.height, "deal"), output)
    elif frame.height:
        typer.echo(frame_output(frame if as_json else _table(frame), as_json), nl=False)
    raise typer.Exit(problems.code)


def _valid(
    seeds: Iterable[str], players: int | None, variant: str | None, problems: Problems
) -> Iterator[str]:
    """Yield the seeds of deals that can be solved; add the errors of the others to `problems`."""
    for seed in seeds:
        try:
            played = named_variant(dealt(seed, players, variant).variant)
        except HanalyzeError as error:
            problems.add(error)
            continue
        try:
            check_covered(played, Rules())
            yield seed
        except HanalyzeError as error:
            problems.add(error.at(game=seed))


def _table(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the printed table of deals."""
    low, high, runs = map(pl.col, ("best_low", "best_high", "runs"))
    best = pl.when(low == high).then(low.cast(pl.String)).otherwise(pl.format("{}-{}", low, high))
    wins = (pl.col("lucky") * runs).round().cast(pl.Int64)
    columns: dict[str, pl.Expr | str] = {
        "full score": "full_score",
        "best score": best,
        "can be won": pl.col("winnable").replace_strict({True: "yes", False: "no"}, default="unknown"),
        "positions searched": "nodes",
        "runs won": pl.format("{} of {}", wins, runs),
    }
    return frame.select("seed", "players", "variant", **columns)


def _seeds(texts: list[str]) -> Iterator[str]:
    """Return the seeds of arguments that are seeds, ranges or files. Raises `HanalyzeError`."""
    return itertools.chain.from_iterable([_seeds_of(text) for text in texts])


def _seeds_of(text: str) -> Iterable[str]:
    if text == "-" or os.path.exists(text):
        return _of_file(text)
    if (match := _RANGE.fullmatch(text)) is None:
        return [text]
    head, first, last = match["head"], int(match["first"]), int(match["last"])
    if head != match["again"]:
        raise UsageError(f'"{text}" is not a range of seeds', "write it like p3v0s1..p3v0s1000")
    if last < first:
        raise UsageError(f'the range "{text}" ends before it begins', "write the lower seed first")
    return (f"{head}{number}" for number in range(first, last + 1))


def _of_file(path: str) -> list[str]:
    """Return the lines of a text file that are not blank. Raises `HanalyzeError` (rule `unreadable`)."""
    try:
        if path == "-":
            text: str | None = sys.stdin.read()
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
    except OSError as error:
        raise file_error(error, path, "unreadable") from None
    except UnicodeDecodeError:
        text = None
    if text is None or text.lstrip().startswith(("{", "[")):  # a database, or a log in JSON
        advice = "give seeds, or a text file with one seed per line"
        raise HanalyzeError("this is not a list of seeds", rule="unreadable", file=path, advice=advice)
    return [line.strip() for line in text.splitlines() if line.strip()]
