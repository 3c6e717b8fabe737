"""Hanabi itself: cards, variants, rules, actions. Pure data and functions, no files, no output."""
