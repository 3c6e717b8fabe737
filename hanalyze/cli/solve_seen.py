"""`hanalyze solve --as`: the moves of a turn as one player could weigh them.

In: a replayed game, a turn, a player's name, of the one to move or another. Out: every legal move with how
often it keeps the best reachable score. Cards of the player's own hand are named by their slots only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanalyze.cli.games import seat_named, turn_index
from hanalyze.cli.screen import Screen, show_json
from hanalyze.cli.summary import title
from hanalyze.cli.words import Words
from hanalyze.game.actions import Action, ActionKind
from hanalyze.solver.one_player import MoveChance, Sampling
from hanalyze.solver.ranking import rank_moves
from hanalyze.text import plural

if TYPE_CHECKING:
    from hanalyze.cli.screen import Line
    from hanalyze.replaying import Replay


def show_seen(
    replay: Replay,
    turn: int,
    player: str,
    sampling: Sampling,
    how: dict[str, Any],
    as_json: bool,
    first: bool,
) -> None:
    """Show the legal moves of a turn, counted from 1, as a player, to move or not, could weigh them."""
    number = turn_index(replay, turn)
    seat = seat_named(player, tuple(replay.record.players))
    chances = rank_moves(replay, number, seat=seat, sampling=sampling, **how)
    if as_json:
        show_json(_json(replay, number, seat, sampling, chances))
        return
    words = Words(replay.variant, replay.suit_names, replay.record.players)
    name = words.players[seat]
    mover = replay.state(number).seat
    whose = "moves of" if mover == seat else f"moves of {words.players[mover]} on"
    lines: list[Line] = [*([] if first else [[]]), title(replay.record)]
    said = f"{whose} turn {number + 1} by how often each keeps the best score, as far as {name} can know"
    lines.append([(said, "bold")])
    if chances and chances[0].deals:
        lines.append([("  keeps        points left", "dim")])
        lines += [_line(replay, number, words, seat, mover, one) for one in chances]
    if chances:
        lines.append([(_foot(max(chances, key=_deals), sampling), "dim")])
    Screen().show(lines)


def _line(replay: Replay, turn: int, words: Words, seat: int, mover: int, one: MoveChance) -> Line:
    share = f"{100 * one.keeps:>5.0f}% ± {100 * one.keeps_error:<4.1f}"
    points = f"{one.expected:>6.2f} ± {one.expected_error:.2f}"
    return [
        (f"{share} {points}   {words.players[mover]} ", ""),
        *_deed(replay, turn, words, one.action, seat, mover),
    ]


def _deed(replay: Replay, turn: int, words: Words, action: Action, seat: int, mover: int) -> Line:
    """Return an action without what the player does not know: the own cards, and which a clue touches."""
    after = replay.with_actions([*replay.record.actions[:turn], action])
    row = list(after.facts())[turn]
    if action.kind in (ActionKind.PLAY, ActionKind.DISCARD) and seat == mover:
        verb = "plays" if action.kind == ActionKind.PLAY else "discards"
        return [(f"{verb} slot {row['slot']}", "")]
    said = words.action(row, action)
    is_clue = action.kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE)
    return said[:-1] if is_clue and action.target == seat else said


def _deals(one: MoveChance) -> int:
    return one.deals


def _foot(one: MoveChance, sampling: Sampling) -> str:
    said = f"over {plural(one.deals, 'deal')} that fit what is known (seed {sampling.seed}); ± standard error"
    if one.open:
        said += f"; {plural(one.open, 'more was', 'more were')} left open and not counted: try more --nodes"
    return said


def _json(
    replay: Replay, turn: int, seat: int, sampling: Sampling, chances: list[MoveChance]
) -> dict[str, Any]:
    names = ("keeps", "keeps_error", "expected", "expected_error", "deals")
    most = max(chances, key=_deals, default=None)
    return {
        "game": replay.record.name,
        "turn": turn,
        "seat": seat,
        "seed": sampling.seed,
        "deals": most.deals if most else 0,
        "open": most.open if most else 0,
        "moves": [
            {
                "action": list(one.action),
                **{name: getattr(one, name) if one.deals else None for name in names},
            }
            for one in chances
        ],
    }
