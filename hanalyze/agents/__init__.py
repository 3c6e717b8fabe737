"""Players that make games, and the game that agents of one's own play: for samples, tests and studies."""

from hanalyze.agents.game import Game
from hanalyze.agents.own import Agent, AgentLike, load_agent
from hanalyze.agents.players import AGENTS
from hanalyze.agents.sight import PastAction, Sight
from hanalyze.agents.simulation import Intention, simulate, simulate_with_meanings

__all__ = [
    "AGENTS",
    "Agent",
    "AgentLike",
    "Game",
    "Intention",
    "PastAction",
    "Sight",
    "load_agent",
    "simulate",
    "simulate_with_meanings",
]
