"""The game of Hanabi as data and pure functions: cards, variants, rules, actions."""
