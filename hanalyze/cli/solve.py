"""`hanalyze solve`: the best that a game allowed with all cards open, and where it was lost.

In: logs, or the seed of a deck. Out: the best score, the moves that lost points, and a line that would have
reached it, turn by turn. In: a database. Out: the same of all its games as tables, and what that came to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.databases import holds_database
from hanalyze.cli.options import GameBudget, budget_of_game

if TYPE_CHECKING:
    from hanalyze.cli.exits import Problems
    from hanalyze.cli.games import Wish
    from hanalyze.cli.screen import Line as Text
    from hanalyze.cli.words import Words
    from hanalyze.logs.record import GameRecord
    from hanalyze.replaying import Replay
    from hanalyze.solver.losses import Loss, Solution
    from hanalyze.solver.solving import Best, Line

EXAMPLES: Final = """\b
Examples:
  hanalyze solve games.jsonl --nth 1
  hanalyze solve games.jsonl --game p3v0s7 --turn 20
  hanalyze solve games.jsonl --game p3v0s7 --turn 20 --moves
  hanalyze solve games.jsonl --game p3v0s7 --turn 20 --as Bob
  hanalyze solve --deck p3v0s1
  hanalyze solve games.jsonl --json
  hanalyze solve games.duckdb
  hanalyze solve games.duckdb --budget 5000000
"""

_REASONS: Final = {
    "cards": "the last copy of a needed card is gone",
    "time": "the deck leaves too few turns",
    "hands": "the hands cannot hold every needed card",
    "order": "no line works with this order of the cards",
}


def solve(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Logs, as for `hanalyze replay`, or a database."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(metavar="N", help="Solve only the position before turn N; the first turn is 1."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="With --turn: rank every legal move by the best score it leaves.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="With --turn: rank the moves as this player could weigh them, to move or looking on.",
        ),
    ] = None,
    samples: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With --as: sample N deals (default: 200).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="With --as: the seed of the samples (default: 1).")
    ] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="SEED", help="Solve the deal of this seed instead of a game.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="With --deck: players (default: as the seed says).")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --deck: the variant (default: as the seed says).")
    ] = None,
    edition: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Override the log's rules, as for `hanalyze replay`.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help="Only games with this id or seed.")] = None,
    nth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the Nth game, from 1.")] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Look at N positions at most for each score (default: 1,000,000; with --as 20,000).",
        ),
    ] = None,
    seconds: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Search for N seconds at most for each score.")
    ] = None,
    budget: GameBudget = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With a database: threads (default: one per core).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one object per game.")] = False,
) -> None:
    """Find the best score a game allowed with all cards open, and where it was lost.

    Shows every move after which fewer points could be reached, why, and a line of moves that would have
    reached the best score. Each answer has a proof: a line that breaks no rule, or an exhausted search. Where
    neither is found in time, the answer is a range. More nodes take longer and may narrow it.

    With --as, the player's own hand and the deck count as unknown: for each legal move, how often it keeps
    the best score over deals that fit everything that player knows. Another player than the one to move
    weighs that one's moves, whose cards lie open to it.

    Of a database all games are solved, and what was found is stored in the tables solved_games, best_scores
    and losses: `hanalyze stats DB --what lost` adds it up. Games that were solved before are skipped, so the
    same command continues after an interruption; those that stayed open are tried again within a larger
    budget.
    """
    from hanalyze.cli.exits import Problems
    from hanalyze.cli.games import Wish
    from hanalyze.cli.solve_seen import show_seen
    from hanalyze.errors import HanalyzeError
    from hanalyze.kernels.compiling import pays_off
    from hanalyze.replaying import replay
    from hanalyze.solver.one_player import Sampling
    from hanalyze.solver.search_plan import NODES

    if (moves or player is not None) and turn is None:
        which = "--moves" if player is None else "--as"
        raise HanalyzeError(f"{which} needs a turn", rule="no_turn", advice="give --turn N")
    if player is None and (samples is not None or seed is not None):
        raise HanalyzeError("--samples and --seed are for --as", rule="usage", advice="give --as NAME")
    if any(map(holds_database, paths or [])):
        given = (turn, deck, players, variant, edition, game, nth, as_json or None)
        _solve_database(paths or [], given, budget, nodes, seconds, jobs)
        return
    if budget is not None or jobs is not None:
        raise HanalyzeError(
            "--budget and --jobs are for databases", rule="usage", advice="give --nodes or --seconds"
        )
    problems = Problems()
    how: dict[str, Any] = {"nodes": nodes or NODES, "seconds": seconds, "fast": None}
    sampling = Sampling(samples or Sampling().samples, Sampling().seed if seed is None else seed)
    first = True
    wish = Wish(game=game, nth=nth)
    start = time.perf_counter()
    for record in _records(paths or [], deck, players, variant, wish, problems):
        try:
            played = replay(record, edition=edition)
            if player is not None and turn is not None:
                show_seen(played, turn, player, sampling, {**how, "nodes": nodes}, as_json, first)
            elif moves and turn is not None:
                _show_moves(played, turn, how, as_json, first)
            else:
                _show(played, turn, how, as_json, first)
        except HanalyzeError as error:
            problems.add(error.at(file=record.file, line=record.line, game=record.name))
        first = False
        # The games to come may take as long as those before them.
        how["fast"] = True if pays_off(time.perf_counter() - start) else None
    raise typer.Exit(problems.code)


def _solve_database(
    paths: list[str],
    of_logs: tuple[object, ...],
    budget: str | None,
    nodes: int | None,
    seconds: int | None,
    jobs: int | None,
) -> None:
    """Solve the games of a database, and say what that came to; `of_logs` are the options that need logs."""
    from hanalyze.cli.progress import progress_bar
    from hanalyze.errors import HanalyzeError
    from hanalyze.store import connect

    if len(paths) > 1:
        raise HanalyzeError("several databases", rule="usage", advice="give one database, or logs")
    if any(one is not None for one in of_logs):
        raise HanalyzeError(
            "of a database all games are solved; the other options are for logs",
            rule="usage",
            advice="give --budget, --nodes, --seconds or --jobs",
        )
    limits = budget_of_game(budget)
    with connect(paths[0], files_in=()) as db, progress_bar() as show:
        solving = db.solve(nodes=nodes, seconds=seconds, **limits, jobs=jobs, on_progress=show)
    rate = solving.games / solving.seconds if solving.seconds else 0
    typer.echo(f"{solving}; {solving.seconds:.1f} s, {rate:,.0f} games/s")


def _records(
    paths: list[str],
    deck: str | None,
    players: int | None,
    variant: str | None,
    wish: Wish,
    problems: Problems,
) -> Iterator[GameRecord]:
    """Yield the games that are asked for, or the one that has only been dealt."""
    from hanalyze.cli.games import picked
    from hanalyze.errors import HanalyzeError

    if deck is not None:
        if paths:
            raise HanalyzeError("give logs or --deck, not both", rule="two_inputs")
        yield _dealt(deck, players, variant)
    elif not paths:
        raise HanalyzeError("nothing to solve", rule="no_input", advice="give a log, or --deck SEED")
    else:
        yield from picked(paths, wish, problems)


def _dealt(seed: str, players: int | None, variant: str | None) -> GameRecord:
    """Return a game of a seed before its first action, by players with names."""
    from msgspec.structs import replace

    from hanalyze.agents.game import NAMES
    from hanalyze.solver.deals import dealt

    record = dealt(seed, players, variant)
    return replace(record, players=NAMES[: len(record.players)])


def _show(replay: Replay, turn: int | None, how: dict[str, Any], as_json: bool, first: bool) -> None:
    from hanalyze.cli.games import turn_index
    from hanalyze.cli.screen import Screen, show_json
    from hanalyze.cli.words import Words
    from hanalyze.solver.losses import solve as solved

    words = Words(replay.variant, replay.suit_names, replay.record.players)
    if turn is None and replay.turn_count == 0:
        turn = 1
    screen = Screen()
    if turn is not None:
        best = solved(replay, turn_index(replay, turn), **how)
        if as_json:
            show_json(_best_json(replay, best))
        else:
            screen.show([*([] if first else [[]]), *_best_lines(replay, best, words)])
        return
    solution = solved(replay, **how)
    if as_json:
        show_json(_solution_json(solution))
    else:
        screen.show([*([] if first else [[]]), *_solution_lines(solution, words)])


def _show_moves(replay: Replay, turn: int, how: dict[str, Any], as_json: bool, first: bool) -> None:
    from hanalyze.cli.games import turn_index
    from hanalyze.cli.screen import Screen, show_json
    from hanalyze.cli.words import Words
    from hanalyze.solver.ranking import rank_moves

    number = turn_index(replay, turn)
    ranked = rank_moves(replay, number, **how)
    if as_json:
        moves = [{"action": list(one.action), "low": one.low, "high": one.high} for one in ranked]
        show_json({"game": replay.record.name, "turn": number, "moves": moves})
        return
    words = Words(replay.variant, replay.suit_names, replay.record.players)
    lines: list[Text] = [*([] if first else [[]]), _heading(replay)]
    lines.append([(f"moves of turn {number + 1} by the best score each leaves with all cards open", "bold")])
    before = replay.record.actions[:number]
    for one in ranked:
        after = replay.with_actions([*before, one.action])
        row = list(after.facts())[number]
        score = f"{_range(one.low, one.high):>8}  {words.actor(row, one.action)} "
        lines.append([(score, ""), *words.action(row, one.action)])
    Screen().show(lines)


def _line_json(line: Line | None) -> list[list[int]] | None:
    return None if line is None else [list(action) for action in line.actions]


def _best_json(replay: Replay, best: Best) -> dict[str, Any]:
    return {
        "game": replay.record.name,
        "turn": best.turn,
        "seat": best.seat,
        "low": best.low,
        "high": best.high,
        "why": best.why or None,
        "nodes": best.nodes,
        "line": _line_json(best.line),
    }


def _solution_json(solution: Solution) -> dict[str, Any]:
    return {
        "game": solution.game.record.name,
        "score": solution.score,
        "full": solution.full,
        "low": solution.low,
        "high": solution.high,
        "nodes": solution.nodes,
        "losses": [
            {
                "turn": loss.turn,
                "seat": loss.seat,
                "player": loss.player,
                "kind": loss.kind,
                "before": loss.before,
                "after": loss.after,
                "exact": loss.exact,
                "cause": loss.cause,
                "line": _line_json(loss.line),
            }
            for loss in solution.losses
        ],
    }


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _heading(replay: Replay) -> Text:
    from hanalyze.cli.summary import title

    return [
        *title(replay.record),
        (f": {replay.variant.name}, {len(replay.record.players)} players", ""),
    ]


def _best_lines(replay: Replay, best: Best, words: Words) -> list[Text]:
    """Return what can be said of one position."""
    full = len(replay.variant.suits) * replay.variant.stack_size
    said = f"best score from before turn {best.turn + 1} with all cards open: {_range(best.low, best.high)}"
    said += f" of {full}"
    if best.high < full and best.why:
        said += f"; {best.high + 1} is out of reach: {_REASONS[best.why]}"
    lines: list[Text] = [_heading(replay), [(said, "")]]
    if best.score is None:
        lines.append([("open: no proof was found in time; try more --nodes", "yellow")])
    return lines + _line_lines(best.line, words)


def _solution_lines(solution: Solution, words: Words) -> list[Text]:
    """Return what can be said of a whole game."""
    said = f"score {solution.score} of {solution.full}; best score of the deal with all cards open: "
    lines: list[Text] = [
        _heading(solution.game),
        [(said + _range(solution.low[0], solution.high[0]), "")],
    ]
    if not solution.losses and not solution.open_points:
        lines.append([("no points were lost", "")])
    rows = {row["turn"]: row for row in solution.game.facts()}
    for loss in solution.losses:
        lines += _loss_lines(loss, rows[loss.turn], words)
    if solution.open_points:
        points = f"{solution.open_points} point{'s' if solution.open_points > 1 else ''}"
        lines.append([(f"open: where up to {points} went; try more --nodes", "yellow")])
    first = solution.first_loss
    if first is not None and first.line is not None:
        lines += _line_lines(first.line, words)
    return lines


def _loss_lines(loss: Loss, row: dict[str, Any], words: Words) -> list[Text]:
    from hanalyze.tables.solved import LOSS_CAUSES
    from hanalyze.text import plural

    lost = f"{plural(loss.points, 'point')} lost, {loss.after} left"
    if not loss.exact:
        lost = f"at least {plural(loss.points, 'point')} lost, {loss.after} left at most"
    return [
        [
            (f"turn {loss.turn + 1}: ", "bold"),
            (f"{words.players[loss.seat]} ", ""),
            *words.action(row, loss.action),
            (f": {lost}; {LOSS_CAUSES[loss.cause]}", ""),
        ]
    ]


def _line_lines(line: Line | None, words: Words) -> list[Text]:
    """Return a line turn by turn."""
    if line is None:
        return []
    played = line.replay()
    lines: list[Text] = [
        [],
        [(f"a line to {line.score} points from turn {line.turn + 1} on", "bold")],
    ]
    for row in played.facts():
        if row["turn"] < line.turn:
            continue
        action = played.record.actions[row["turn"]]
        lines.append(
            [
                (f"{row['turn'] + 1:>4}  ", "dim"),
                (f"{words.actor(row, action)} ", ""),
                *words.action(row, action),
                (f"  {row['score_after']}", "dim"),
            ]
        )
    return lines
