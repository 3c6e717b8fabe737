"""Replay and analyse recorded games of Hanabi."""

__version__ = "0.1.0.dev0"
