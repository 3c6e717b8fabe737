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
each kind of players, made by `python -m tools.fit_chances`. What a clue leaves open is judged by
`readings`.
"""

from hanalyze.chances.fitting import fit as fit
from hanalyze.chances.model import (
    MODELS as MODELS,
    Fit as Fit,
    HandCards as HandCards,
    Model as Model,
    chances_of as chances_of,
    load_model as load_model,
    rows_like as rows_like,
)
from hanalyze.chances.model_choice import Choice as Choice, choose as choose, closest as closest
from hanalyze.chances.one_game import (
    CardChances as CardChances,
    Odds as Odds,
    TurnChances as TurnChances,
    game_chances as game_chances,
)
