"""Players that make games, and the game that agents of one's own play: for samples, tests and studies."""

from hanalyze.agents.game import Game as Game
from hanalyze.agents.own import Agent as Agent, AgentLike as AgentLike, load_agent as load_agent
from hanalyze.agents.players import AGENTS as AGENTS
from hanalyze.agents.sight import PastAction as PastAction, Sight as Sight, SightedCard as SightedCard
from hanalyze.agents.simulation import (
    Intention as Intention,
    simulate as simulate,
    simulate_with_meanings as simulate_with_meanings,
)
