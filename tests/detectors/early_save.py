"""An example of a detector: saves that could have waited.

A player with a play or known trash will not discard the chop next, so the save spends a turn and a token too
early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hanalyze.detectors.turns import Finding, Meaning, Moment, Outcome, Turn, View

_SAVES: Final = ("five_save", "two_save", "critical_save")


def _is_early(meanings: Sequence[Meaning], before: View) -> bool:
    """Return whether a clue only saves the chop of a player who has another action to take."""
    if len(meanings) != 1:
        return False
    main = meanings[0]
    if main.label not in _SAVES or main.receiver is None:
        return False
    return any(card.plays or card.known_trash for card in before.hands[main.receiver])


class EarlySave:
    """Finds saves of a chop whose holder had another action to take.

    >>> from hanalyze.detectors.plugin import plan_of
    >>> plan_of(EarlySave()).reads_truth
    False
    """

    name = "early_save"
    version = "1"
    level = 3
    systems = frozenset({"hgroup"})
    actions = frozenset({"clue"})

    def detect(self, turn: Turn) -> Iterator[Finding]:
        """Yield a finding for a save that could have waited."""
        if _is_early(turn.meanings, turn.before):
            yield self._finding(turn.meanings[0])

    def opportunities(self, moment: Moment) -> Iterator[Finding]:
        """Yield a finding if the player to move can give such a save."""
        for clue in moment.legal_clues():
            if _is_early(clue.meanings, moment.before):
                yield self._finding(clue.meanings[0])
                return

    def judge(self, finding: Finding, later: Sequence[Turn]) -> Outcome | None:
        """Return `failed` if the saved player next discards a card that is not known trash, else `success`.

        If the game ends before the saved player's next action, the outcome is `censored`.
        """
        for turn in later:
            if turn.seat in finding.seats:
                card = None if turn.order is None else turn.before.card(turn.order)
                busy = turn.kind != "discard" or (card is not None and card.known_trash)
                return Outcome("success" if busy else "failed", turn.turn)
        return Outcome("censored")

    @staticmethod
    def _finding(meaning: Meaning) -> Finding:
        cards = () if meaning.focus is None else (meaning.focus,)
        seats = () if meaning.receiver is None else (meaning.receiver,)
        return Finding("early_save", cards, seats, certainty=meaning.certainty, reasons=(meaning.label,))
