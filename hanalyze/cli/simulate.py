"""`hanalyze simulate`: write games of agents as logs, and the meanings of the actions of `conventional`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import IO, Annotated, Any, Final

import msgspec

from hanalyze import agents
from hanalyze.agents import Intention
from hanalyze.agents.simulation import is_worth_compiling
from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.options import VariantName
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.cli.screen import games_bar
from hanalyze.logs.files import write, written
from hanalyze.logs.record import GameRecord, Options
from hanalyze.output import temporary_target
from hanalyze.text import plural, shorten

_PIECE: Final = 2000  # number of games simulated at a time; few enough to show progress and bound memory
_SLOW_PIECE: Final = 20  # number of games simulated at a time without the compiler
_PLAYERS: Final = 3


@examples(
    "hanalyze simulate --games 20 -o games.jsonl",
    'hanalyze simulate --agent random --players 4 --seed 7 --variant "6 Suits"',
    "hanalyze simulate --agent conventional -o game.jsonl --meanings meant.jsonl",
    "hanalyze simulate --agent conventional --override finesse=0.5 --games 100 -o games.jsonl",
    "hanalyze simulate --agent my_agent.py:Agent --agent cautious --games 100",
)
def simulate(
    agent: Annotated[
        list[str] | None, option("NAME", "The agent for all seats or, if repeated, for each seat; see below.")
    ] = None,
    players: Annotated[int | None, option("N", "Players (default: 3, or the number of agents).")] = None,
    games: Annotated[int, option("N", "Number of games.")] = 1,
    seed: Annotated[int, option("N", "Seed number of the first game; later games count up from it.")] = 1,
    variant: VariantName = "No Variant",
    edition: Annotated[
        str | None, option("TEXT", "Edition of the rules, such as hle+strikes=1 (default: hanab-live).")
    ] = None,
    output: Annotated[str, option("PATH", "The file to write, also .gz.", "--output", "-o")] = "-",
    level: Annotated[int, option("N", "With --agent conventional: the level of conventions, 1 or 2.")] = 2,
    meanings: Annotated[
        str | None, option("FILE", "With --agent conventional: write the meanings of actions.")
    ] = None,
    override: Annotated[
        list[str] | None,
        option("NAME=P", "With --agent conventional: give a convention only with probability P; repeatable."),
    ] = None,
    deck_plays: Annotated[bool, flag("--deck-plays", "The last card may be played from the deck.")] = False,
    empty_clues: Annotated[bool, flag("--empty-clues", "Allow clues that touch no card.")] = False,
    all_or_nothing: Annotated[
        bool, flag("--all-or-nothing", "Play on until the full score is reached or out of reach.")
    ] = False,
    speedrun: Annotated[bool, flag("--speedrun", "End once the full score is out of reach.")] = False,
    card_cycle: Annotated[bool, flag("--card-cycle", "Clues move the giver's chop to slot 1.")] = False,
    one_extra_card: Annotated[bool, flag("--one-extra-card", "Hands have one extra card.")] = False,
    one_less_card: Annotated[bool, flag("--one-less-card", "Hands have one card fewer.")] = False,
    starting_player: Annotated[int, option("N", "The player who begins, from 1.")] = 1,
) -> None:
    """Let agents play, built-in ones or your own, and write their games as logs.

    Agents: cautious (the default), random, cheating (sees all cards), conventional (H-Group), and your own,
    as FILE.py:CLASS.

    The same arguments give the same file; more games only add to it. Each line of --meanings has the seed
    and, for each action, its turn, its convention, its focus (a card's number in the deck) and the cards that
    it calls to be played before the focus; turns and cards count from 0.

    --override finesse=0.5 makes an experiment: a coin decides between a finesse and the best other action.
    Tags of the games record the tosses; `hanalyze stats --what experiment` shows the effect.
    """
    options = Options(
        starting_player=starting_player - 1,
        speedrun=speedrun,
        card_cycle=card_cycle,
        deck_plays=deck_plays,
        empty_clues=empty_clues,
        one_extra_card=one_extra_card,
        one_less_card=one_less_card,
        all_or_nothing=all_or_nothing,
    )
    names = agent or ["cautious"]
    if players is None:
        players = len(names) if len(names) > 1 else _PLAYERS
    if not 1 <= starting_player <= max(players, 1):
        raise UsageError(f"there is no player {starting_player}", f"use a number from 1 to {players}")
    if meanings is not None and names != ["conventional"]:
        what = f"agent {', '.join(names)} follows no conventions"
        raise UsageError(what, "use --meanings with --agent conventional")
    if meanings == "-" and output == "-":
        what = "games and meanings cannot both go to standard output"
        raise UsageError(what, "give a file for one of them")
    loaded: list[agents.AgentLike] = [agents.load_agent(name) for name in names]
    seated = loaded if len(loaded) > 1 else loaded[0]
    fast = len(names) == 1 and names[0] in agents.AGENTS and is_worth_compiling(names[0], games)
    piece = _PIECE if fast else _SLOW_PIECE
    settings: dict[str, Any] = {
        "players": players,
        "variant": variant,
        "edition": edition,
        "options": options,
        "level": level,
        "overrides": _overrides(override or []),
        "fast": fast,
    }

    def records(lines: IO[bytes] | None) -> Iterator[GameRecord]:
        for start in range(0, games, piece) or [0]:
            part = {**settings, "games": min(piece, games - start), "seed": seed + start}
            if lines is None:
                yield from agents.simulate(seated, **part)
                continue
            for record, intentions in agents.simulate_with_meanings(**part):
                lines.write(_line(record, intentions))
                yield record

    with ExitStack() as stack:
        path, lines = stack.enter_context(temporary_target(output)), None
        if meanings is not None:
            lines = stack.enter_context(written(stack.enter_context(temporary_target(meanings))))
        count = plural(write(_with_progress(records(lines), games, output), path), "game")
    say_written(count, output)
    if meanings is not None:
        say_written(f"meanings of {count}", meanings)


def _overrides(texts: list[str]) -> dict[str, float]:
    """Return the probabilities of `NAME=P` by name. Raises `UsageError`."""
    overrides = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            overrides[name] = float(number)
        except ValueError:
            what = f'--override "{shorten(text)}" is not NAME=P'
            raise UsageError(what, "give a probability, such as finesse=0.5") from None
    return overrides


def _line(record: GameRecord, intentions: tuple[Intention, ...]) -> bytes:
    actions = [
        {"turn": turn, "convention": one.convention.label, "focus": one.focus, "cards": list(one.cards)}
        for turn, one in enumerate(intentions)
    ]
    return msgspec.json.encode({"seed": record.seed, "meanings": actions}) + b"\n"


def _with_progress(records: Iterable[GameRecord], games: int, output: str) -> Iterator[GameRecord]:
    """Yield the records and show progress, unless the games are written to the terminal."""
    if output == "-" and sys.stdout.isatty():
        yield from records
        return
    with games_bar(games) as show:
        for number, record in enumerate(records, start=1):
            yield record
            if number % _SLOW_PIECE == 0:
                show(number)
