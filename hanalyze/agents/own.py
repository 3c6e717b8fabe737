"""Agents written by users, and games in which different agents play together.

Actions are checked against the rules. An error in an agent is reported with its file, line, game and turn.
"""

from __future__ import annotations

import difflib
import inspect
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Protocol, TypeAlias

import numpy as np

from hanalyze.agents.conventional import MEANING_SIZE, choose_by_conventions
from hanalyze.agents.game import Game
from hanalyze.agents.players import AGENTS, NO_ACTION, choose_action
from hanalyze.agents.sight import Sight
from hanalyze.agents.viewpoints import Viewpoints, begin_viewpoints, read_for_all
from hanalyze.conventions.rows import room_for
from hanalyze.detectors.plugin import error_text, line_in, run_file
from hanalyze.engine import game as engine
from hanalyze.engine.rules import choose
from hanalyze.errors import HanalyzeError, IllegalAction, UnknownName
from hanalyze.game.actions import Action
from hanalyze.logs.record import GameRecord
from hanalyze.text import nearest, shorten


class Agent(Protocol):
    """Interface of users' agents; the class is called without arguments for each game and seat."""

    def act(self, sight: Sight) -> Action:
        """Return an action of `sight.legal` for the turn of seat `sight.me`."""
        ...


AgentLike: TypeAlias = "str | Callable[[], Agent] | SeatedAgent"
"""Name of a built-in agent, `file.py[:Class]`, a class or function that makes an agent, or a loaded agent."""

_CONVENTIONAL: Final = AGENTS.index("conventional")


@dataclass(frozen=True, slots=True)
class SeatedAgent:
    """The agent at a seat.

    `name` is the name of the built-in agent or of the class. `make` creates an agent for a game; it is None
    for a built-in agent. `file` is the source file of the agent, if known.
    """

    name: str
    make: Callable[[], Agent] | None = None
    file: str | None = None

    @property
    def number(self) -> int:
        """Index of a built-in agent in `AGENTS`, -1 for other agents."""
        return AGENTS.index(self.name) if self.make is None else -1


def _bad(message: str, file: str | None, advice: str | None = None, **where: Any) -> HanalyzeError:
    return HanalyzeError(message, rule="bad_agent", file=file, advice=advice, **where)


def _is_agent(value: object, module: str) -> bool:
    return inspect.isclass(value) and value.__module__ == module and callable(getattr(value, "act", None))


def _from_file(path: str, name: str) -> SeatedAgent:
    """Return the agent of a file: the class with this name, or the only class with a method `act`.

    Raises the errors of `load_agent`.
    """
    module = run_file(path, "agents", "bad_agent")
    agents = {key: value for key, value in vars(module).items() if _is_agent(value, module.__name__)}
    advice = "write a class with a method act(sight)"
    if not name and len(agents) != 1:
        if agents:
            advice = "name one of: " + ", ".join(f"{path}:{key}" for key in agents)
        raise _bad(f"{len(agents) or 'no'} classes with a method act in this file", path, advice)
    name = name or next(iter(agents))
    value = vars(module).get(name)
    if value is None:
        if near := nearest(name, agents):
            advice = f'did you mean "{near[0]}"?'
        raise _bad(f'there is no agent "{shorten(name)}" in this file', path, advice)
    if not callable(value):
        raise _bad(f"{shorten(name)} is not a class", path, advice)
    return SeatedAgent(name, value, path)


def load_agent(agent: AgentLike) -> SeatedAgent:
    """Return the `SeatedAgent` for a name, a file or a class.

    Raises `UnknownName` for a name that no built-in agent has, and `HanalyzeError` (rules `unreadable`,
    `bad_agent`) for a file that cannot be run or has no such agent, and for a value that is not callable.
    Files run without a sandbox: load only files that you trust.

    >>> load_agent("cautious")
    SeatedAgent(name='cautious', make=None, file=None)
    """
    if isinstance(agent, SeatedAgent):
        return agent
    if not isinstance(agent, str):
        if not callable(agent):
            what = f"{shorten(repr(agent))} is not an agent"
            raise _bad(what, None, "give a class with a method act(sight)")
        return SeatedAgent(str(getattr(agent, "__name__", type(agent).__name__)), agent)
    path, _, name = agent.rpartition(":")
    if path.endswith(".py"):
        return _from_file(path, name)
    if agent.endswith(".py"):
        return _from_file(agent, "")
    if agent not in AGENTS:
        advice = "one of: " + ", ".join(AGENTS) + ", or file.py:Class for your own"
        near = tuple(difflib.get_close_matches(agent[:100], AGENTS, n=1, cutoff=0.4))
        raise UnknownName("agent", agent, near, advice=advice)
    return SeatedAgent(agent)


def seat_names(seated: Sequence[SeatedAgent]) -> tuple[str, ...]:
    """Return the players' names by seat: their agents' names, with a number from the second use of a name on.

    >>> seat_names([SeatedAgent("cautious"), SeatedAgent("random"), SeatedAgent("cautious")])
    ('cautious', 'random', 'cautious 2')
    """
    names: list[str] = []
    for place, one in enumerate(seated):
        before = sum(other.name == one.name for other in seated[:place])
        names.append(f"{one.name} {before + 1}" if before else one.name)
    return tuple(names)


_Choose: TypeAlias = Callable[[], Action | None]
"""Function that returns the action of the player to move, None if nothing is legal."""


def _built_in_choice(game: engine.Game, agent: int, noise: int, viewpoints: Viewpoints | None) -> _Choose:
    """Return a function that chooses the actions of a built-in agent; `noise` is its random seed."""
    meanings = np.zeros(MEANING_SIZE, np.int64)

    def choose_next() -> Action | None:
        nonlocal noise
        choice = game.choice
        choose(game, NO_ACTION, 0, 0)
        if viewpoints is not None and agent == _CONVENTIONAL:
            choose_by_conventions(game, viewpoints, meanings)
        else:
            choice.noise = noise
            choose_action(game, agent)
            noise = choice.noise
        return None if choice.kind == NO_ACTION else Action(choice.kind, choice.target, choice.value)

    return choose_next


def _own_choice(seated: SeatedAgent, make: Callable[[], Agent], game: Game) -> _Choose:
    """Create a user's agent for a game; return a function that chooses its actions."""

    def fail(what: str, error: BaseException | None = None, advice: str | None = None) -> NoReturn:
        file = seated.file
        line = line_in(error, file) if error is not None and file is not None else None
        message = f"agent {shorten(seated.name)} {what}"
        raise _bad(message, file, advice, line=line, game=game.name, turn=game.turn) from None

    try:
        agent = make()
    except (Exception, SystemExit) as error:
        fail(f"cannot be created: {error_text(error)}", error, "its class must not require arguments")
    if not callable(getattr(agent, "act", None)):
        fail("has no method act(sight)")

    def choose_next() -> Action | None:
        sight = game.sees()
        if not sight.legal:
            return None
        try:
            action = agent.act(sight)
        except (Exception, SystemExit) as error:
            fail(f"raised {error_text(error)}", error)
        try:
            return game.check(action)
        except IllegalAction as error:
            fail(f"chose an illegal action: {error.message}", advice="return one of sight.legal")
        except HanalyzeError:
            fail(f"returned {shorten(repr(action))}", advice="return one of sight.legal")

    return choose_next


def _play(game: Game, seated: Sequence[SeatedAgent], level: int) -> None:
    state, rows = game.state, room_for(0)
    viewpoints = Viewpoints() if any(agent.number == _CONVENTIONAL for agent in seated) else None
    if viewpoints is not None:
        begin_viewpoints(state, viewpoints, level)

    def chooser(place: int, one: SeatedAgent) -> _Choose:
        if one.make is not None:
            return _own_choice(one, one.make, game)
        noise = zlib.crc32(f"{one.name} {place} {game.name}".encode()) | 1
        return _built_in_choice(state, one.number, noise, viewpoints)

    players = [chooser(place, one) for place, one in enumerate(seated)]
    while not game.over and (action := players[game.seat]()) is not None:
        if viewpoints is not None:
            choose(state, *action)
            read_for_all(state, viewpoints, rows)
        game.step(action)


def play_together(
    seated: Sequence[SeatedAgent], template: GameRecord, seeds: Sequence[str], level: int = 2
) -> Iterator[GameRecord]:
    """Yield the games that agents play, one per seed; the agents are listed by seat.

    `template` provides the variant, options and edition. Raises `HanalyzeError` (rule `bad_agent`) for an
    agent that raises an error or does not return a legal action, and the errors of `Game`.
    """
    source = "hanalyze simulate, " + ", ".join(agent.name for agent in seated)
    for seed in seeds:
        game = Game(
            seat_names(seated),
            seed=seed,
            variant=template.variant,
            edition=template.edition,
            options=template.options,
        )
        _play(game, seated, level)
        yield game.record(source)
