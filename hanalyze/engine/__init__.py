"""Replay of recorded games: the rules as functions over a record, interpreted or compiled."""
