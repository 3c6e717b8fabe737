"""Players that make games: for samples, tests and studies."""

from hanalyze.agents.players import AGENTS
from hanalyze.agents.simulation import simulate

__all__ = ["AGENTS", "simulate"]
