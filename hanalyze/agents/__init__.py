"""Agents: built-in players, the interface for users' own agents, and the game that agents play."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanalyze.agents.game import Game as Game
    from hanalyze.agents.own import Agent as Agent, AgentLike as AgentLike, load_agent as load_agent
    from hanalyze.agents.players import AGENTS as AGENTS
    from hanalyze.agents.sight import PastAction as PastAction, Sight as Sight
    from hanalyze.agents.simulation import (
        Intention as Intention,
        simulate as simulate,
        simulate_with_meanings as simulate_with_meanings,
    )

_HOMES = {
    "game": ("Game",),
    "own": ("Agent", "AgentLike", "load_agent"),
    "players": ("AGENTS",),
    "sight": ("PastAction", "Sight"),
    "simulation": ("Intention", "simulate", "simulate_with_meanings"),
}

if not TYPE_CHECKING:
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

    def __getattr__(name: str) -> object:
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"hanalyze.agents.{_HOME_OF[name]}"), name)
