"""The dashboard: one page about many games, and its figures."""
