"""The review page of one game."""
