"""What the dashboard counts: for each figure a query for what was found, and one for out of how much.

In: the definitions of mistakes. Out: `Counted`s. Each query gives rows by game: `found` the columns
`game_id`, `panel`, `label`, `of` and `x`, `of` the columns `game_id`, `of` and `y`; `of` names the
denominator. Where each denominator is that of one number, one query gives `game_id`, `of`, `y` and `x`.
They run as they are: `hanalyze sql games.duckdb "..."`. Where `seated` is set they have the column `seat`,
too, and what a player's cell gets is the player's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hanalyze.store.mistakes import BLAMELESS, Definition, definitions

__all__ = ["CURVE", "KINDS", "PHASES", "Counted", "counted"]

PHASES: Final = {"early": "Opening", "middle": "Middle", "late": "Endgame"}

KINDS: Final = {
    "discard_last_copy": "Last copy",
    "discard_five": "Needed 5",
    "discard_playable": "Playable card",
    "discard_over_play": "In place of a sure play",
    "discard_over_trash": "With known trash kept",
    "discard_clued": "Clued card",
    "discard_out_of_pace": "With no pace left",
    "discard_double": "Twin at risk",
    "discard_bottom_deck": "Last copy left in the deck",
    "discard_unsaved": "Last copy not saved",
    "misplay": "Misplay",
    "play_missed": "Idle clue in place of a sure play",
    "play_narrows": "Play that closed a stack",
    "clue_bad_touch": "Touched only trash or copies",
    "clue_no_news": "Told nothing new",
    "clue_needless": "Not needed, tokens short",
    "clue_unsaved": "Last token, critical chop left",
    "tokens_wasted": "Token wasted",
}
"""Short names of the kinds of mistakes, for axes."""

_SEVERITIES: Final = {
    "knew": "knew",
    "could_tell": "could tell",
    "gamble": "took a chance",
    "misled": "misled by a clue",
    "hit": "risk that came true",
    "lucky": "risk that went well",
    "could_not_know": "could not know",
    "forced": "had no choice",
    "nothing_to_lose": "nothing to lose",
}

_ENDS: Final = {
    "normal": "Played to the end",
    "strikeout": "Struck out",
    "timeout": "Out of time",
    "terminated_by_player": "Ended by a player",
    "terminated_by_vote": "Ended by a vote",
    "idle_timeout": "Left idle",
    "unfinished": "Not finished",
    "speedrun_fail": "Speedrun failed",
    "character_softlock": "No legal action",
    "all_or_nothing_fail": "Full score lost",
    "all_or_nothing_softlock": "No legal action",
}

Key = tuple[str, str, str]
"""Panel, label and denominator of a number."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Two queries, or one for both, and what their rows are called.

    `keys` are the numbers in their order; None where each denominator is one, called `panel|label`. `of` is
    empty where the denominator is the games themselves, one a game; `found` where `of` gives `x`, too.
    """

    name: str
    found: str = ""
    of: str = ""
    keys: tuple[Key, ...] | None = None
    seated: bool = False

    @property
    def query(self) -> str:
        """What a reader is shown."""
        if not self.found:
            return self.of.strip()
        of = self.of or "SELECT game_id, 'games' AS of, 1 AS y FROM games"
        return f"-- found\n{self.found.strip()}\n\n-- of\n{of.strip()}"


def _case(column: str, words: Mapping[str, str]) -> str:
    cases = " ".join(f"WHEN '{word}' THEN '{shown}'" for word, shown in words.items())
    return f"CASE {column}::VARCHAR {cases} END"


_BLAMELESS: Final = ", ".join(f"'{severity}'" for severity in sorted(BLAMELESS))
_PHASE: Final = _case("phase", PHASES)


def _condition(one: Definition) -> str:
    """Return the condition for an opportunity. A mistake is one even where the definition's fails."""
    condition = f"one_choice IS NULL AND ({one.where})"
    return f"{condition} OR unsaved" if one.kind == "discard_unsaved" else condition


def _classes() -> dict[str, int]:
    """Return the conditions for an opportunity, with a number for each."""
    conditions = dict.fromkeys(map(_condition, definitions().values()))
    return {condition: number for number, condition in enumerate(conditions)}


def _kinds() -> Counted:
    """How often each kind was found, by phase, of its opportunities."""
    classes = _classes()
    known = definitions()
    number = " ".join(f"WHEN '{kind}' THEN '{classes[_condition(one)]}'" for kind, one in known.items())
    label = _case("kind", {kind: KINDS.get(kind, kind) for kind in known})
    counts = ",\n        ".join(f"count_if({where}) AS c{n}" for where, n in classes.items())
    parts = "\nUNION ALL\n".join(
        f"SELECT game_id, {_PHASE} || '|{n}' AS of, c{n} AS y FROM c WHERE c{n} > 0" for n in classes.values()
    )
    keys = tuple(
        (panel, KINDS.get(kind, kind), f"{panel}|{classes[_condition(one)]}")
        for kind, one in known.items()
        for panel in PHASES.values()
    )
    return Counted(
        "kinds",
        f"""
SELECT game_id, {_PHASE} AS panel, {label} AS label, panel || '|' || CASE kind {number} END AS of, x
FROM (
    SELECT game_id, phase, kind, count(*) AS x
    FROM (SELECT DISTINCT game_id, turn, kind FROM mistakes WHERE severity NOT IN ({_BLAMELESS}))
    JOIN decisions USING (game_id, turn)
    GROUP BY ALL
)""",
        f"""
WITH c AS MATERIALIZED (
    SELECT game_id, phase,
        {counts}
    FROM decisions LEFT JOIN (
        SELECT DISTINCT game_id, turn, true AS unsaved FROM mistakes WHERE kind = 'discard_unsaved'
    ) USING (game_id, turn)
    GROUP BY ALL
)
{parts}""",
        keys,
    )


def _losses() -> Counted:
    lost = " ".join(
        f"WHEN '{kind}' THEN '{text}'"
        for kind, text in {
            "discard_last_copy": "Last copy discarded",
            "misplay": "Card misplayed",
            "play_narrows": "Stack closed by a play",
        }.items()
    )
    labels = [
        "Last copy discarded",
        "Last copy discarded, nobody to blame",
        "Card misplayed",
        "Card misplayed, nobody to blame",
        "Stack closed by a play",
        "Stack closed by a play, nobody to blame",
        "Forfeited by the ending",
        "Left unplayed at the end",
    ]
    return Counted(
        "losses",
        f"""
SELECT game_id, '' AS panel, CASE kind {lost} ELSE kind END
    || CASE WHEN severity IN ({_BLAMELESS}) THEN ', nobody to blame' ELSE '' END AS label,
    'games' AS of, sum(points) AS x
FROM mistakes WHERE points <> 0 GROUP BY ALL
UNION ALL
SELECT game_id, '', 'Forfeited by the ending', 'games', raw_score - score FROM games WHERE raw_score <> score
UNION ALL
SELECT game_id, '', 'Left unplayed at the end', 'games', max_score - raw_score
FROM games WHERE max_score <> raw_score""",
        keys=tuple(("", label, "games") for label in labels),
    )


_SHORT: Final = """
SELECT game_id, '' AS panel, CASE
        WHEN score >= full_score THEN '0'
        WHEN end_condition = 'strikeout' THEN 'struck out'
        WHEN end_condition <> 'normal' THEN 'broken off'
        WHEN full_score - score >= 10 THEN '10+'
        ELSE (full_score - score)::VARCHAR
    END AS label, 'games' AS of, 1 AS x
FROM games"""
_SHORT_LABELS: Final = (*map(str, range(10)), "10+", "struck out", "broken off")


def _one(name: str, x: str, where: str = "") -> Counted:
    """Return what has a single number of each game, or of those where a condition holds."""
    of = "finished" if where else "games"
    rest = f" WHERE {where}" if where else ""
    return Counted(
        name,
        of=f"SELECT game_id, '{of}' AS of, 1 AS y, {x} AS x\nFROM games{rest}",
        keys=(("", name, of),),
    )


_TENS: Final = "'Turn|' || (10 * ten) || '-' || (10 * ten + 9)"
_RANK: Final = "'Rank ' || CASE rank WHEN 7 THEN 'S' ELSE rank::VARCHAR END"

_ORIGIN: Final = """
    CASE WHEN colour_clues + rank_clues > 1 THEN 'several clues'
        WHEN colour_clues + rank_clues = 1 THEN 'one clue'
        WHEN known_turn <= fate_turn THEN 'no clue, known all the same'
        ELSE 'no clue, not known' END"""

_BAND: Final = """
    CASE WHEN p_playable > 1 - 1e-9 THEN '100'
        ELSE (10 * floor(10 * p_playable + 1e-9))::INTEGER::VARCHAR || '-'
        || (10 * floor(10 * p_playable + 1e-9) + 9)::INTEGER::VARCHAR END"""


def counted() -> dict[str, Counted]:
    """Return all that is counted, by name."""
    ends = tuple(dict.fromkeys(_ENDS.values()))
    kinds = _case("kind", KINDS)
    severity = _case("severity", _SEVERITIES)
    known = {
        "knew": "knew",
        "could_tell": "could tell",
        "gamble": "took a chance",
        "could_not_know": "no way to know",
        "forced": "no choice",
        "nothing_to_lose": "no choice",
        "misled": "took a chance",
        "hit": "took a chance",
        "lucky": "took a chance",
    }
    judged = ("discard_last_copy", "discard_five", "discard_playable", "discard_clued")
    judged_words = ", ".join(f"'{kind}'" for kind in judged)
    paces = ("discard_playable", "discard_over_play", "discard_out_of_pace")
    token_kinds = (
        "clue_bad_touch",
        "clue_no_news",
        "clue_needless",
        "clue_unsaved",
        "play_missed",
        "tokens_wasted",
    )
    losing = ("knew", "could_tell", "gamble", "could_not_know", "forced")
    classes = ("knew", "misled", "gamble", "forced", "nothing_to_lose")
    all_ = [
        Counted("scores", _SHORT, keys=tuple(("", label, "games") for label in _SHORT_LABELS)),
        _losses(),
        Counted(
            "endings",
            f"""
SELECT game_id, '' AS panel, {_case("end_condition", _ENDS)} AS label, 'games' AS of, 1 AS x
FROM games""",
            keys=tuple(("", label, "games") for label in ends),
        ),
        Counted(
            "need",
            of="""
SELECT game_id, 'Points short|' || format('{:.1f}', floor(min_efficiency * 10) / 10) AS of, 1 AS y,
    full_score - score AS x
FROM games WHERE min_efficiency IS NOT NULL""",
        ),
        _one("perfect", "(score >= full_score)::INTEGER"),
        _one("points", "score"),
        _one("struck", "(end_condition = 'strikeout')::INTEGER"),
        _one("short", "full_score - score", "end_condition = 'normal'"),
        _one("efficiency", "efficiency", "efficiency IS NOT NULL"),
        _one("needed", "min_efficiency", "min_efficiency IS NOT NULL"),
        Counted(
            "clues",
            of=f"""
SELECT game_id, 'Kind|' || kind AS of, y, x
FROM (SELECT game_id, kind, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL)
UNION ALL
SELECT game_id, {_TENS}, y, x
FROM (SELECT game_id, turn // 10 AS ten, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL)""",
        ),
        Counted(
            "tokens",
            f"""
SELECT game_id, '' AS panel, {kinds} AS label, 'games' AS of, sum(tokens) AS x
FROM mistakes WHERE tokens > 0 AND severity NOT IN ({_BLAMELESS}) GROUP BY ALL""",
            keys=tuple(("", KINDS[kind], "games") for kind in token_kinds),
        ),
        Counted(
            "origins",
            f"""
WITH o AS (
    SELECT game_id, rank, {_ORIGIN} AS label, count(*) AS x FROM cards WHERE fate = 'played' GROUP BY ALL
)
SELECT game_id, 'All cards' AS panel, label, panel AS of, sum(x) AS x FROM o GROUP BY ALL
UNION ALL
SELECT game_id, {_RANK} AS panel, label, panel AS of, x FROM o""",
            f"""
SELECT game_id, 'All cards' AS of, count(*) AS y FROM cards WHERE fate = 'played' GROUP BY ALL
UNION ALL
SELECT game_id, {_RANK} AS of, y
FROM (SELECT game_id, rank, count(*) AS y FROM cards WHERE fate = 'played' GROUP BY ALL)""",
            tuple(
                (panel, label, panel)
                for panel in ("All cards", *(f"Rank {rank}" for rank in (1, 2, 3, 4, 5, "S")))
                for label in (
                    "no clue, not known",
                    "no clue, known all the same",
                    "one clue",
                    "several clues",
                )
            ),
        ),
        _kinds(),
        Counted(
            "known",
            f"""
SELECT game_id, {kinds} AS panel, {_case("severity", known)} AS label, panel AS of, count(*) AS x
FROM mistakes WHERE kind IN ({judged_words}) GROUP BY ALL""",
            f"""
SELECT game_id, {kinds} AS of, count(*) AS y
FROM mistakes WHERE kind IN ({judged_words}) GROUP BY ALL""",
            tuple(
                (KINDS[kind], one, KINDS[kind]) for kind in judged for one in dict.fromkeys(known.values())
            ),
        ),
        _discards_by(),
        Counted(
            "costs",
            f"""
SELECT game_id, 'Points of last copies' AS panel, {severity} AS label, 'games' AS of, sum(points) AS x
FROM mistakes WHERE kind = 'discard_last_copy' GROUP BY ALL
UNION ALL
SELECT game_id, 'Pace' AS panel, {kinds} AS label, 'games' AS of, sum(pace) AS x
FROM mistakes WHERE kind LIKE 'discard%' AND pace > 0 AND severity NOT IN ({_BLAMELESS}) GROUP BY ALL""",
            keys=(
                *(("Points of last copies", _SEVERITIES[one], "games") for one in losing),
                *(("Pace", KINDS[kind], "games") for kind in paces),
            ),
        ),
        Counted(
            "misplays",
            f"""
SELECT game_id, 'Misplays' AS panel, {severity} AS label, 'plays' AS of, count(*) AS x
FROM mistakes WHERE kind = 'misplay' GROUP BY ALL
UNION ALL
SELECT game_id, 'Points' AS panel, {severity} AS label, 'plays' AS of, sum(points) AS x
FROM mistakes WHERE kind = 'misplay' AND points > 0 GROUP BY ALL""",
            "SELECT game_id, 'plays' AS of, count(*) AS y\nFROM decisions WHERE action = 'play' GROUP BY ALL",
            tuple((panel, _SEVERITIES[one], "plays") for panel in ("Misplays", "Points") for one in classes),
        ),
        Counted(
            "odds",
            of=f"""
SELECT game_id, 'Share that fitted|' || {_BAND} AS of, count(*) AS y, count_if(result = 'played') AS x
FROM decisions WHERE action = 'play' AND p_playable IS NOT NULL GROUP BY ALL""",
        ),
        *_own(),
    ]
    return {one.name: one for one in all_}


def _discards_by() -> Counted:
    """Discards with more than one sensible choice, and those that were mistakes, by what they were."""
    dimensions = (
        (_TENS, "turn // 10 AS ten"),
        ("'Rank|' || CASE rank WHEN 7 THEN 'S' ELSE rank::VARCHAR END", "rank"),
        ("'Suit|' || letter", "upper(substr(letters, suit + 1, 1)) AS letter"),
        ("'Seat|' || (seat + 1)", "seat"),
    )
    parts = "\nUNION ALL\n".join(
        f"SELECT game_id, {name} AS of, y, x\n"
        f"FROM (SELECT game_id, {columns}, count(*) AS y, count(mistake) AS x FROM d GROUP BY ALL)"
        for name, columns in dimensions
    )
    return Counted(
        "discards_by",
        of=f"""
WITH d AS MATERIALIZED (
    SELECT game_id, turn, rank, suit, letters, seat, mistake
    FROM decisions LEFT JOIN (
        SELECT DISTINCT game_id, turn, true AS mistake FROM mistakes
        WHERE kind LIKE 'discard%' AND kind <> 'discard_unsaved' AND severity NOT IN ({_BLAMELESS})
    ) USING (game_id, turn)
    WHERE one_choice IS NULL AND result = 'discarded'
)
{parts}""",
    )


def _own() -> tuple[Counted, Counted]:
    """Return what is counted for each player's own decisions: mistakes, each decision once, and clues."""
    titles = {"discard": "Discard mistakes", "play": "Misplays", "clue": "Clue mistakes"}
    mistakes = f"""
SELECT game_id, seat, of, count(*) AS y, count(mistake) AS x
FROM (
    SELECT game_id, turn, seat,
        CASE WHEN action = 'play' THEN 'play' WHEN result = 'discarded' THEN 'discard' ELSE 'clue' END AS of
    FROM decisions WHERE one_choice IS NULL AND action <> 'end_game'
) LEFT JOIN (
    SELECT DISTINCT game_id, turn, true AS mistake FROM mistakes
    WHERE (kind LIKE 'discard%' AND kind <> 'discard_unsaved' OR kind = 'misplay' OR kind LIKE 'clue%')
        AND severity NOT IN ({_BLAMELESS})
) USING (game_id, turn)
GROUP BY ALL"""
    value = """
SELECT game_id, giver AS seat, 'clues' AS of, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL"""
    return (
        Counted(
            "own_mistakes",
            of=mistakes,
            keys=tuple(("", title, family) for family, title in titles.items()),
            seated=True,
        ),
        Counted("own_value", of=value, keys=(("", "Cards per clue", "clues"),), seated=True),
    )


CURVE: Final = """
SELECT t.game_id, t.turn + 1 AS turn,
    CASE WHEN g.score >= g.full_score THEN 0 WHEN g.full_score - g.score >= 3 THEN 2 ELSE 1 END AS short,
    t.cards_gotten_after / nullif(t.clues_lost_after, 0) AS achieved, t.future_efficiency_after AS needed
FROM turns t JOIN games g USING (game_id)
WHERE t.action <> 'end_game'"""
"""Cards per clue achieved and needed after each turn; `short`: 0 perfect, 1 by one or two points, 2 more."""
