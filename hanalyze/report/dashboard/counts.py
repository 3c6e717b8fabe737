"""What the dashboard counts: queries of `sql/`, and what their rows are called.

In: the definitions of mistakes. Out: `Count`s. Each query gives rows by game: `found` the columns `game_id`,
`panel`, `label`, `of` and `x`, `of` the columns `game_id`, `of` and `y`; `of` names the denominator. Where
each denominator is that of one number, `of` gives `x`, too. They run as they are: `hanalyze sql`. Those about
decisions have the column `seat`, too: a player's cell counts that player's decisions alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.game.meanings import SETTLED
from hanalyze.report.page import render
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMED_SQL, SEVERITIES
from hanalyze.tables.solved import LOSS_CAUSES

PHASES: Final = {"early": "Opening", "middle": "Middle", "late": "Endgame"}

JUDGED: Final = ("discard_last_copy", "discard_five", "discard_playable", "discard_clued")
"""Kinds of discards that are told apart by what the holder could know."""
ALL_KINDS: Final = "All kinds"
"""The panel of `known` that has them together; it has no place in the figure."""

ALL_PHASES: Final = "Whole game"
"""The panel of `lost_causes` that has all phases together."""
KNOWABLE: Final = "Could be known"
ONLY_OPEN: Final = "only with open cards"
"""What `lost_known` and `own_lost` call points lost by moves that are no mistakes by what was known."""
LOST: Final = {
    "discard": "Discards",
    "misplay": "Misplays",
    "clue": "Clues",
    "play": "Plays",
    "end": "Ending the game",
}
"""The moves that lose points with all cards open."""
_BASES: Final = ("logic", "convention", "chance")
_CAUSES: Final = {
    "cards": "Last copy gone",
    "time": "Too few turns left",
    "hands": "Hands full of needed cards",
    "order": "Order of the cards",
    "strikes": "Last strike",
    "end": "Game ended by a player",
}
_DEALS: Final = {
    "won": "Won",
    "missed": "Could be won, was not",
    "lost": "Nobody could win",
    "open": "Not decided",
}

_SEVERITIES: Final = {name: one.short for name, one in SEVERITIES.items()}
_MISPLAYED: Final = (
    *("knew", "could_tell", "misled", "uncalled", "gamble"),
    *("could_not_know", "forced", "nothing_to_lose"),
)
"""What a player can have known of a card that was misplayed."""
_KNOWN: Final = {**_SEVERITIES, "could_not_know": "no way to know", "forced": "no choice"}

_ENDS: Final = {
    "normal": "Played to the end",
    "strikeout": "Struck out",
    "timeout": "Out of time",
    "terminated_by_player": "Ended by a player",
    "terminated_by_vote": "Ended by a vote",
    "idle_timeout": "Left idle",
    "unfinished": "Not finished",
    "speedrun_fail": "Speedrun failed",
    "softlock": "No legal action",
    "all_or_nothing_fail": "Full score lost",
}

_LOSSES: Final = {
    **{
        f"{kind}{tail}": f"{words}{', nobody to blame' * bool(tail)}"
        for kind, words in (
            ("discard_last_copy", "Last copy discarded"),
            ("misplay", "Card misplayed"),
            ("play_narrows", "Stack shortened by a play"),
        )
        for tail in ("", " blameless")
    },
    "forfeited": "Forfeited by the ending",
    "unplayed": "Left unplayed at the end",
}

_ORIGINS: Final = {
    "unknown": "no clue, not known",
    "deduced": "no clue, deduced",
    "one clue": "one clue",
    "several clues": "several clues",
}

_MESSAGES: Final = conventions_in(MESSAGES)

USES: Final = "Uses per 100 actions"
WORKED: Final = "Success, % of settled"
UNEXPLAINED: Final = "Unexplained"
"""The panels of `conventions`; the last is no convention, and has no place in the figure."""

STRUCK: Final = "struck"
WORST: Final = "worst"
"""The panels of what a figure has of games that struck out apart (`losses_apart`): of the points lost in them
x and xx, and y such games; and by label the points that games have at most, of y games."""

EFFECT_GAMES: Final = 4000
"""Games that the effects of conventions are estimated from; of more, a fixed sample of as many."""

_BY_SEAT: Final = {
    *("clues", "tokens", "origins", "kinds", "known", "discards_by", "costs", "misplays", "odds"),
    *("conventions", "lost_causes", "lost_known", "own_mistakes", "own_value", "own_lost"),
}
"""The counts of decisions whose queries have the column `seat`."""

Key = tuple[str, str, str]
"""Panel, label and denominator of a number, as the query has them."""


@dataclass(frozen=True, slots=True)
class Count:
    """Two queries, or one for both, and what their rows are called.

    `keys` are the numbers in their order; None where each denominator is one, called `panel|label`. `of` is
    empty where the denominator is the games themselves, one a game; `found` where `of` gives `x`, too.
    `words` say how panels and labels are shown, where that is not as the query has them. `by_seat`: the
    queries have the column `seat`, and a game's values are the sums of its seats' (a denominator without
    seats is that of each player of the game). `own` is the query by seat of values that do not add up.
    """

    found: str
    of: str
    keys: tuple[Key, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    by_seat: bool = False
    own: str = ""

    @property
    def of_decisions(self) -> bool:
        """Whether it counts decisions, so that those of one player can be told from the rest."""
        return self.by_seat or bool(self.own)

    @property
    def query(self) -> str:
        """What a reader is shown."""
        if not self.found:
            return f"{self.of}\n\n-- own\n{self.own}" if self.own else self.of
        return f"-- found\n{self.found}\n\n-- of\n{self.denominators}"

    @property
    def denominators(self) -> str:
        """The query of how much; where none is given, each game is one."""
        return self.of or "SELECT game_id, 'games' AS of, 1 AS y FROM games"


def query(name: str, definitions: Mapping[str, Definition] | None = None) -> str:
    """Return a query of `sql/`; that of kinds of mistakes asks for the definitions."""
    conditions = {kind: _condition(one) for kind, one in (definitions or {}).items()}
    order = list(dict.fromkeys(conditions.values()))
    return render(
        f"dashboard/sql/{name}.sql",
        conditions=order,
        opportunities=[(kind, order.index(one)) for kind, one in conditions.items()],
        blamed=BLAMED_SQL,
        judged=JUDGED,
        forced=[kind for kind, one in (definitions or {}).items() if one.weighs_forced],
        settled=SETTLED,
        messages=[one.label for one in _MESSAGES],
        only_open=ONLY_OPEN,
    ).strip()


def _condition(one: Definition) -> str:
    """Return the condition for an opportunity. A mistake is one even where the definition's fails."""
    condition = f"one_choice IS NULL AND ({one.where})"
    return f"{condition} OR unsaved" if one.kind == "discard_unsaved" else condition


def _by_game(labels: Iterable[str], panel: str = "") -> tuple[Key, ...]:
    return tuple((panel, label, "games") for label in labels)


def counts(definitions: Mapping[str, Definition]) -> dict[str, Count]:
    """Return all that is counted, by name."""
    kinds = {kind: one.label for kind, one in definitions.items()}
    conditions = list(dict.fromkeys(map(_condition, definitions.values())))
    short = (*map(str, range(10)), "10+", "struck out", "broken off")
    ranks = {"7": "Rank S", **{str(rank): f"Rank {rank}" for rank in range(1, 6)}}
    answers = ("knew", "could_tell", "gamble", "could_not_know", "forced")
    token_kinds = [kind for kind, one in definitions.items() if one.family == "clue" or kind == "play_missed"]
    keys: dict[str, tuple[tuple[Key, ...] | None, Mapping[str, str]]] = {
        "scores": (_by_game(short), {}),
        "losses": (_by_game(_LOSSES), _LOSSES),
        "losses_apart": (None, _LOSSES),
        "endings": (_by_game(_ENDS), _ENDS),
        "clues": (None, {}),
        "clue_trend": ((("", "", "turns"),), {}),
        "discards_trend": ((("", "", "turns"),), {}),
        "tokens": (_by_game(token_kinds), kinds),
        "origins": (
            tuple((of, label, of) for of, label in product(("All cards", *sorted(ranks)), _ORIGINS)),
            {**ranks, **_ORIGINS},
        ),
        "kinds": (
            tuple(
                (phase, kind, f"{phase}|{conditions.index(_condition(one))}")
                for kind, one in definitions.items()
                for phase in PHASES
            ),
            {**PHASES, **kinds},
        ),
        "known": (
            tuple((kind, one, kind) for kind, one in product((*JUDGED, "all"), answers)),
            {**kinds, **_KNOWN, "all": ALL_KINDS},
        ),
        "discards_by": (None, {}),
        "costs": (
            _by_game(answers, "points")
            + _by_game(("discard_playable", "discard_over_play", "discard_out_of_pace"), "pace"),
            {**kinds, **_SEVERITIES, "points": "Points lost with last copies", "pace": "Pace"},
        ),
        "misplays": (
            tuple((panel, one, "plays") for panel in ("misplays", "points") for one in _MISPLAYED),
            {**_SEVERITIES, "misplays": "Misplays", "points": "Points"},
        ),
        "odds": (None, {}),
        "conventions": (
            (
                *(("uses", one.label, "actions") for one in _MESSAGES),
                *(("worked", one.label, f"{one.label}|settled") for one in _MESSAGES),
                ("unexplained", "unexplained", "main meanings"),
            ),
            {
                **{one.label: one.words for one in _MESSAGES},
                "uses": USES,
                "worked": WORKED,
                "unexplained": UNEXPLAINED,
            },
        ),
        "own_mistakes": (
            tuple(("", family, family) for family in ("discard", "play", "clue")),
            {"discard": "Discard mistakes", "play": "Misplays", "clue": "Clue mistakes"},
        ),
        "own_value": ((("", "Cards per clue", "clues"),), {}),
        "winnable": (tuple(("", label, "solved") for label in _DEALS), _DEALS),
        "lost_causes": (
            tuple((phase, cause, "solved") for phase, cause in product(("all", *PHASES), LOSS_CAUSES)),
            {**PHASES, **_CAUSES, "all": ALL_PHASES},
        ),
        "lost_known": (
            tuple((kind, basis, kind) for kind, basis in product(("all", *LOST), (*_BASES, ONLY_OPEN))),
            {**LOST, "all": ALL_KINDS},
        ),
        "own_lost": (
            tuple(("", part, part) for part in ("all", "known", "open")),
            {"all": "All points lost", "known": KNOWABLE, "open": ONLY_OPEN.capitalize()},
        ),
    }
    for name, of in (
        *((name, "games") for name in ("perfect", "points", "struck")),
        *((name, "finished") for name in ("short", "efficiency", "needed")),
    ):
        keys[name] = (("", name, of),), {}
    made = {}
    for name, (of_count, words) in keys.items():
        found, of, own = _parts(query(name, definitions))
        made[name] = Count(found, of, of_count, words, by_seat=name in _BY_SEAT, own=own)
    return made


def _parts(text: str) -> tuple[str, str, str]:
    """Return what a file has below `-- found`, below `-- of`, and below `-- own`."""
    rest, _, own = f"\n{text}".partition("\n-- own\n")
    found, _, of = rest.partition("\n-- of\n")
    return found.removeprefix("\n-- found\n").strip(), of.strip(), own.strip()
