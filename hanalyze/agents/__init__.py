"""Agents: built-in players, the interface for users' own agents, and the game that agents play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanalyze.lazy import names_of

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

if not TYPE_CHECKING:
    __getattr__ = names_of(
        __name__,
        {
            "game": ("Game",),
            "own": ("Agent", "AgentLike", "load_agent"),
            "players": ("AGENTS",),
            "sight": ("PastAction", "Sight"),
            "simulation": ("Intention", "simulate", "simulate_with_meanings"),
        },
    )
