"""Arbitrary records for properties: anything that a file may say.

In: nothing. Out: the strategy `records`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.logs import NO_VARIANT, Character, GameRecord, Options

numbers = st.integers(-(2**63), 2**63 - 1)
names = st.text(max_size=8)
# Small numbers are what games are made of; both kinds must pass.
small = st.integers(-1, 60) | numbers

records = st.builds(
    GameRecord,
    players=st.lists(names, max_size=7).map(tuple),
    deck=st.none() | st.lists(st.builds(Card, small, small), max_size=8),
    actions=st.lists(st.builds(Action, st.integers(-1, 7) | numbers, small, small), max_size=8),
    variant=st.sampled_from([NO_VARIANT, "Black (6 Suits)"]) | names,
    options=st.just(Options())
    | st.builds(Options, *[st.booleans() if isinstance(default, bool) else small for default in Options()]),
    id=st.none() | numbers,
    seed=st.none() | names,
    notes=st.lists(st.lists(names, max_size=3).map(tuple), max_size=3).map(tuple),
    characters=st.lists(st.builds(Character, names, small), max_size=3).map(tuple),
    edition=st.none() | names,
    shuffle=st.none() | names,
    score=st.none() | numbers,
    source=st.none() | names,
    started=st.none() | names,
    finished=st.none() | names,
    tags=st.lists(names, max_size=3).map(tuple),
    deck_known=st.none() | small,
)
