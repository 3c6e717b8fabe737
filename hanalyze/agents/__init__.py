"""Players that make games: for samples, tests and studies."""

from hanalyze.agents.players import AGENTS
from hanalyze.agents.simulation import Intention, simulate, simulate_with_meanings

__all__ = ["AGENTS", "Intention", "simulate", "simulate_with_meanings"]
