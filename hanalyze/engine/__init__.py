"""Replay of recorded games: the rules as functions over arrays, interpreted or compiled."""
