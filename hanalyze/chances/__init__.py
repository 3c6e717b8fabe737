"""Honest chances: how often a card that looked like this one was critical, playable or trash.

Odds by the cards alone count copies. They leave out what players tell each other: that nobody saved a card,
that a clue meant something, that its holder chose to play it. Two models put that right:

- the state model judges each card of the hand to move before the action, by its odds, by the messages so far
  and by its context (`features`): a logistic regression for each target and each place in the hand, whose
  logits a curve of a few straight pieces then sets right where they err;
- the act layer corrects the chance of a card that was in fact played or discarded: a curve for each.

Compare moves by the state model alone. The act layer takes the decision itself as evidence, so it always
speaks for the move that was made; it is for what discards or plays like this one came to.

Odds of 0 and 1 are facts, and no model changes them. The three chances of a card come from three models:
trash excludes the two others, but their sum may exceed 1.

In: rows of `hanalyze.tables.chances.HAND_CARDS`. Out: chances. `models/` has what is shipped, a file for
each kind of players, made by `python -m hanalyze.analysis.fit_chances`. What a clue leaves open is judged by
`readings`.
"""

from hanalyze.chances.choosing import Choice, choose, closest
from hanalyze.chances.fitting import fit
from hanalyze.chances.model import MODELS, Fit, HandCards, Model, chances_of, load_model, rows_like
from hanalyze.chances.one_game import CardChances, Odds, TurnChances, game_chances
from hanalyze.chances.wording import say_chance

__all__ = [
    "MODELS",
    "CardChances",
    "Choice",
    "Fit",
    "HandCards",
    "Model",
    "Odds",
    "TurnChances",
    "chances_of",
    "choose",
    "closest",
    "fit",
    "game_chances",
    "load_model",
    "rows_like",
    "say_chance",
]
