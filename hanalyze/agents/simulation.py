"""Simulated games; the same arguments give the same games, compiled or interpreted."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.agents.conventional import (
    GIVEN,
    MEANING_CALLS,
    MEANING_FOCUS,
    MEANING_NAME,
    MEANING_OTHER,
    MEANING_SIZE,
    MEANING_TAKEN,
    MEANING_TOSSED,
    choose_by_conventions,
)
from hanalyze.agents.own import AgentLike, SeatedAgent, load_agent, play_together
from hanalyze.agents.players import AGENTS, NO_ACTION, choose_action
from hanalyze.agents.viewpoints import Viewpoints, begin_viewpoints, read_for_all
from hanalyze.conventions.rows import Rows, room_for
from hanalyze.decks import decks
from hanalyze.decks.hanab_live import seed_name
from hanalyze.engine.batch import Deal, GameBatch, make_batch, rules_of, variant_of
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.playing import start_game
from hanalyze.engine.rules import apply_action
from hanalyze.errors import HanalyzeError
from hanalyze.game.actions import DISCARD, PLAY, Action
from hanalyze.game.cards import IDENTITIES, card_of
from hanalyze.game.editions import EndCondition, Rules
from hanalyze.game.meanings import Convention
from hanalyze.game.variants import Variant
from hanalyze.kernels.compiling import compiled, kernel, pays_off
from hanalyze.logs.formats.share_strings import NAMES
from hanalyze.logs.record import GameRecord, Options
from hanalyze.text import plural
from hanalyze.words import named_convention

# --- experiments: a coin decides whether the conventional agent gives a convention -----------------------

_OTHERS: Final = {PLAY: "play", DISCARD: "discard"}


def checked_overrides(overrides: Mapping[str, float], level: int) -> dict[Convention, float]:
    """Return the probabilities by convention.

    Raises `UnknownName` for an unknown convention, and `HanalyzeError` (rule `bad_override`) for one that the
    agent does not give at this level, or a probability outside 0 to 1.

    >>> checked_overrides({"finesse": 0.5}, 2)
    {<Convention.FINESSE: 7>: 0.5}
    """
    probabilities = {}
    for name, probability in overrides.items():
        convention = named_convention(name)
        if convention not in GIVEN or convention.level > level:
            names = ", ".join(convention.label for convention in GIVEN if convention.level <= level)
            what = f"the agent conventional gives no {convention.label} at level {level}"
            raise HanalyzeError(what, rule="bad_override", advice=f"it gives {names}")
        if not 0 <= probability <= 1:
            what = f"override {convention.label}={probability:g}"
            advice = "use a probability from 0 to 1, such as 0.5"
            raise HanalyzeError(what, rule="bad_override", advice=advice)
        probabilities[convention] = probability
    return probabilities


def toss_tags(meanings: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the tags of a game's tosses, given the meaning of each turn.

    A tag is `toss:TURN:CONVENTION:taken|declined:clue|play|discard`. TURN is 0-based as in the tables; the
    last word is the kind of the alternative action.
    """
    return tuple(
        f"toss:{turn}:{Convention(row[MEANING_TOSSED]).label}"
        f":{'taken' if row[MEANING_TAKEN] else 'declined'}:{_OTHERS.get(row[MEANING_OTHER], 'clue')}"
        for turn, row in enumerate(meanings)
        if row[MEANING_TOSSED] >= 0
    )


# --- games --------------------------------------------------------------------------------------------------

_CHUNK: Final = 2000  # games in memory at a time

_SAVED: Final = {"random": 0.001, "cautious": 0.0025, "cheating": 0.0005, "conventional": 0.055}
"""Seconds per game that compiled code saves."""

_PLAYERS: Final = 3  # default number of players


class Intention(NamedTuple):
    """The meaning of an action to its player.

    `convention` is the main convention. `focus` is the order of the card that is played, discarded or clued,
    or None. `cards` contains the orders of the cards called before the focus, in sequence.
    """

    convention: Convention
    focus: int | None
    cards: tuple[int, ...]


class GameArrays(NamedTuple):
    """Output arrays for the games of a batch.

    `actions` (games, actions, 3) contains kind, target and value of each action. `meanings` (games, actions,
    `MEANING_SIZE`) contains the meaning of each action, if the agent follows conventions. `ends` (games, 3)
    contains the number of actions, the end condition, and the number of cards on the stacks.
    """

    actions: Ints
    meanings: Ints
    ends: Ints


@kernel
def _carry_out(game: Game, actions: Ints, turn: int) -> None:
    """Carry out the chosen action and write it to `actions`."""
    kind, target, value = game.choice.kind, game.choice.target, game.choice.value
    apply_action(game, kind, target, value)
    actions[turn, 0] = kind
    actions[turn, 1] = target
    actions[turn, 2] = value


@kernel
def _end(game: Game, end: Ints, turns: int) -> None:
    end[0] = turns
    end[1] = game.end_condition
    end[2] = game.raw_score


def play_agents(batch: GameBatch, game: Game, agent: int, noise: Ints, out: GameArrays) -> None:
    """Let agent number `agent` play all games of a batch; `noise` contains a random seed for each game."""
    room = out.actions.shape[1]
    for number in range(len(batch.seats)):
        start_game(game, batch, number)
        game.choice.noise = noise[number]
        turn = 0
        while game.end_condition == EndCondition.UNFINISHED and turn < room:
            choose_action(game, agent)
            if game.choice.kind == NO_ACTION:
                break
            _carry_out(game, out.actions[number], turn)
            turn += 1
        _end(game, out.ends[number], turn)


def play_conventional(
    batch: GameBatch,
    game: Game,
    viewpoints: Viewpoints,
    rows: Rows,
    level: int,
    noise: Ints,
    limits: Ints,
    out: GameArrays,
) -> None:
    """Let agents that follow conventions up to `level` play all games of a batch; `rows` has capacity 0.

    `noise` contains one random seed per game, for its coin tosses; `limits` contains the values for
    `Viewpoints.limits`.
    """
    for convention in range(len(limits)):
        viewpoints.limits[convention] = limits[convention]
    room = out.actions.shape[1]
    for number in range(len(batch.seats)):
        start_game(game, batch, number)
        begin_viewpoints(game, viewpoints, level)
        game.choice.noise = noise[number]
        turn = 0
        while game.end_condition == EndCondition.UNFINISHED and turn < room:
            game.choice.kind = NO_ACTION
            choose_by_conventions(game, viewpoints, out.meanings[number, turn])
            if game.choice.kind == NO_ACTION:
                break
            read_for_all(game, viewpoints, rows)
            _carry_out(game, out.actions[number], turn)
            turn += 1
        _end(game, out.ends[number], turn)


def is_worth_compiling(agent: str, games: int) -> bool:
    """Return whether the compiler is installed and saves time for this number of games."""
    return pays_off(games * _SAVED.get(agent, 0.0), _entry(agent))


def _entry(agent: str) -> Callable[..., None]:
    return play_conventional if agent == "conventional" else play_agents


class _Setting(NamedTuple):
    """Checked parameters that all games of a simulation share."""

    template: GameRecord
    rules: Rules
    variant: Variant
    level: int
    overrides: dict[Convention, float]


def _set_up(
    players: int,
    games: int,
    variant: str,
    edition: str | None,
    options: Options | None,
    level: int,
    overrides: Mapping[str, float] | None = None,
) -> _Setting:
    """Return the parameters of the games of a simulation. Raises the errors of `simulate`."""
    names, options = NAMES[: max(players, 0)], options or Options()
    template = GameRecord(players=names, actions=[], variant=variant, options=options, edition=edition)
    rules = rules_of(template)
    if not 2 <= players <= rules.max_players:
        what = f"{plural(players, 'player')}, but {rules.edition} is for 2 to {rules.max_players}"
        raise HanalyzeError(what, rule="player_count")
    first = options.starting_player
    if not 0 <= first < players:
        what = f"starting player {first}, but seats are 0 to {players - 1}"
        raise HanalyzeError(what, rule="starting_player")
    if games < 0:
        raise HanalyzeError(f"{games} games", rule="bad_number", advice="give 0 or more")
    if level not in (1, 2):
        raise HanalyzeError(f"level {level} is not supported", rule="bad_number", advice="give 1 or 2")
    checked = checked_overrides(overrides or {}, level)
    return _Setting(template, rules, variant_of(template, rules), level, checked)


def simulate(
    agent: AgentLike | list[AgentLike] | tuple[AgentLike, ...] = "cautious",
    *,
    players: int | None = None,
    games: int = 1,
    seed: int = 1,
    variant: str = "No Variant",
    edition: str | None = None,
    options: Options | None = None,
    level: int = 2,
    overrides: Mapping[str, float] | None = None,
    fast: bool | None = None,
) -> Iterator[GameRecord]:
    """Yield `games` games played by agents, with consecutive seed numbers from `seed` on.

    Game i is dealt from the hanab.live seed `p{players}v{variant id}s{seed + i}`. `agent` plays at all
    `players` seats, by default 3, or is a list with one agent per seat. An agent is one of `AGENTS`, a class
    with a method `act(sight)`, or `file.py:Class`. The agent `random` chooses uniformly among all legal
    actions, `cautious` plays cards that it knows to be playable, `cheating` sees all cards, and
    `conventional` follows the H-Group's conventions up to `level`, 1 or 2; other agents ignore `level`. If
    `agent` is one name of `AGENTS`, `fast` selects compiled code; by default, it is used if it saves time.

    `overrides` maps conventions to probabilities, for experiments with `conventional` at all seats. Whenever
    the agent would give a clue of such a convention, it does so only with this probability, and otherwise
    takes its best other action. The coin depends only on the seed and the turn. The record's tags contain
    each toss (see `toss_tags`); `hanalyze.analysis.experiment_effects` estimates the effect.

    Raises `UnknownName` for an agent, variant, edition or convention that does not exist, and `HanalyzeError`
    for other invalid arguments (rules `player_count`, `starting_player`, `bad_number`, `bad_override`), for
    an agent that cannot be loaded, raises an error or chooses an illegal action (`unreadable`, `bad_agent`),
    and, unless `agent` is one name of `AGENTS`, for a variant that hides plays or clues (`hidden_variant`).

    >>> [record] = simulate("random", players=2, seed=7)
    >>> record.seed, record.actions[0]
    ('p2v0s7', Action(kind=3, target=1, value=3))
    >>> [record] = simulate(["random", "cautious"])
    >>> record.players
    ('random', 'cautious')
    """
    seated = _seat_agents(agent, players)
    count = len(seated) if players is None else players
    setting = _set_up(count, games, variant, edition, options, level, overrides)
    numbers = range(seed, seed + games)
    if overrides and (isinstance(agent, list | tuple) or seated[0] != SeatedAgent("conventional")):
        what = "overrides need the agent conventional at all seats"
        raise HanalyzeError(what, rule="bad_override", advice="other agents follow no conventions")
    if isinstance(agent, list | tuple) or seated[0].make is not None:
        seeds = [seed_name(len(seated), setting.variant, number) for number in numbers]
        return play_together(seated, setting.template, seeds, level)
    return (record for record, _ in _play(setting, seated[0].name, numbers, fast))


def _seat_agents(
    agent: AgentLike | list[AgentLike] | tuple[AgentLike, ...], players: int | None
) -> tuple[SeatedAgent, ...]:
    """Return the agent at each seat. Raises the errors of `simulate`."""
    if not isinstance(agent, list | tuple):
        return (load_agent(agent),) * (_PLAYERS if players is None else players)
    if players not in (None, len(agent)):
        what = f"{len(agent)} agents for {players} players"
        raise HanalyzeError(what, rule="player_count", advice="give one for each seat")
    return tuple(map(load_agent, agent))


def simulate_with_meanings(
    *,
    players: int = 3,
    games: int = 1,
    seed: int = 1,
    variant: str = "No Variant",
    edition: str | None = None,
    options: Options | None = None,
    level: int = 2,
    overrides: Mapping[str, float] | None = None,
    fast: bool | None = None,
) -> Iterator[tuple[GameRecord, tuple[Intention, ...]]]:
    """Yield the games of the agent `conventional` as `simulate` does, each with the meanings of its actions.

    The agents decide the meaning of each action before taking it, from their own knowledge, so the games can
    test a reader of conventions.

    >>> [(record, meanings)] = simulate_with_meanings(players=2, seed=7)
    >>> len(meanings) == len(record.actions)
    True
    >>> max(one.convention.level for one in meanings)
    2
    """
    setting = _set_up(players, games, variant, edition, options, level, overrides)
    played = _play(setting, "conventional", range(seed, seed + games), fast)
    return ((record, tuple(map(_intention, rows))) for record, rows in played)


def _intention(row: list[int]) -> Intention:
    focus = row[MEANING_FOCUS] if row[MEANING_FOCUS] >= 0 else None
    cards = tuple(order for order in row[MEANING_CALLS:] if order >= 0)
    return Intention(Convention(row[MEANING_NAME]), focus, cards)


def _play(
    setting: _Setting, agent: str, numbers: range, fast: bool | None
) -> Iterator[tuple[GameRecord, list[list[int]]]]:
    """Yield the games of a built-in agent that plays at all seats, with the rows of `GameArrays.meanings`."""
    template, rules, variant, level, overrides = setting
    fast = is_worth_compiling(agent, len(numbers)) if fast is None else fast
    conventional = agent == "conventional"
    run: Any = compiled(_entry(agent)) if fast else _entry(agent)
    # Upper bound of the turns: a play or discard uses a card and gains at most one token; a clue uses one.
    room = 2 * variant.deck_size + rules.clue_tokens
    for start in range(0, len(numbers), _CHUNK):
        chunk = numbers[start : start + _CHUNK]
        seeds = [seed_name(len(template.players), variant, number) for number in chunk]
        dealt = decks(seeds, variant)
        deals = [Deal(template, rules, variant, deck, False) for deck in dealt]
        shapes = (room, 3), (room, MEANING_SIZE if conventional else 0), (3,)
        actions, meanings, ends = (np.zeros((len(seeds), *shape), np.int64) for shape in shapes)
        out = GameArrays(actions, meanings, ends)
        batch, game = make_batch(deals).laid_out(fast=fast), Game.new(fast=fast)
        noise: Any = [zlib.crc32(f"{agent} {seed}".encode()) | 1 for seed in seeds]
        limits: Any = [round(2**32 * overrides[one]) + 1 if one in overrides else 0 for one in Convention]
        if fast:
            noise, limits = np.array(noise, np.int64), np.array(limits, np.int64)
        if conventional:
            run(batch, game, Viewpoints.new(fast=fast), room_for(0), level, noise, limits, out)
        else:
            run(batch, game, AGENTS.index(agent), noise, out)
        shared = _actions()
        kinds, targets, values = np.moveaxis(actions, 2, 0)
        codes = (kinds * _TARGETS + targets) * _VALUES + values
        for i, seed in enumerate(seeds):
            turns, end, score = ends[i].tolist()
            record = GameRecord(
                players=template.players,
                deck=[_CARDS[number] for number in dealt[i].tolist()],
                actions=[shared[code] for code in codes[i, :turns].tolist()],
                variant=variant.name,
                options=template.options,
                seed=seed,
                edition=template.edition,
                score=0 if end > EndCondition.NORMAL and rules.zero_when_lost else score,
                source=f"hanalyze simulate, {agent}",
                tags=toss_tags(meanings[i, :turns].tolist()) if overrides else (),
            )
            yield record, meanings[i, :turns].tolist() if conventional else []


_CARDS: Final = [card_of(number) for number in range(IDENTITIES)]
_TARGETS: Final = 64
_VALUES: Final = 8


@functools.cache
def _actions() -> list[Action]:
    """Return all possible actions, indexed by `(kind * _TARGETS + target) * _VALUES + value`."""
    return [
        Action(kind, target, value)
        for kind in range(4)
        for target in range(_TARGETS)
        for value in range(_VALUES)
    ]
