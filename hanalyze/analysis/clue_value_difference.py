"""Extra cards per token of a clue type over other clues at equal need, with intervals.

The mean of the other clues in a band of need comes from the same games, so it is uncertain, too. Each game
therefore adds its influence on both means to the variance (linearised weighted ratios: Cochran 1977). The
influence of a game, divided by the uses of the clue type, is

    sum over bands of (w - u m - u more) - K / U (w' - u' m),

with these symbols for a band: w cards and u tokens of the clue type in the game, w' cards and u' tokens of
the other clues in the game, m the mean of the other clues, U their uses and K the uses of the clue type in
all games; `more` is the result. The variance is the sum of the squared influences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.group_sums import Fraction, Rows, temporary_table
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, Floats, student
from hanalyze.analysis.statistics.ratios import Ratios, ratios
from hanalyze.conventions.classes import CLUES, FURTHER, conventions_in
from hanalyze.store import Database

_CLUES: Final = ", ".join(str(int(one)) for one in conventions_in(CLUES))
_FIRST: Final = ", ".join(str(int(one)) for one in conventions_in(CLUES & ~FURTHER))
"""Codes without second meanings such as kinds of bluffs, so that no token of the other clues counts twice."""
_EVERY: Final = 100
"""Code for all bands together; used for bands in which the other clues have no uses."""

NEEDS: Final = f"""
SELECT code, need, sum(played) AS played, sum(uses) AS uses FROM _uses WHERE code IN ({_FIRST})
GROUP BY code, need"""
"""The query for `_needs`: cards played and uses of each convention, by need."""

_MEANS: Final = f"""
WITH others AS (FROM _needs WHERE code NOT IN ({{codes}}))
SELECT need, sum(played) / sum(uses) AS mean, sum(uses) AS uses FROM others GROUP BY need
UNION ALL
SELECT {_EVERY}, coalesce(sum(played), 0) / greatest(coalesce(sum(uses), 0), 1), coalesce(sum(uses), 0)
FROM others"""

_TOKENS: Final = f"""
SELECT game_id, number, sum(u.uses) AS uses, sum(u.worth) AS worth, sum(u.played) AS played,
    round(sum(u.played - u.uses * coalesce(m.mean, e.mean)), 9) AS more
FROM _uses u LEFT JOIN _means m USING (need) JOIN _means e ON e.need = {_EVERY}
WHERE code IN ({{codes}}) AND code IN ({_CLUES}) GROUP BY game_id, number"""
"""Cards promised and played, and the played cards beyond those of other clues at equal need; rounded, so that
the result does not depend on the order of summation."""

_OTHERS: Final = f"""
WITH o AS (
    SELECT game_id, need, sum(played) AS played, sum(uses) AS uses FROM _uses
    WHERE code NOT IN ({{codes}}) AND code IN ({_FIRST}) GROUP BY ALL
)
SELECT game_id, need, o.played - o.uses * mean AS rest FROM o JOIN _means USING (need)
UNION ALL
SELECT game_id, {_EVERY}, sum(o.played) - sum(o.uses) * any_value(e.mean)
FROM o JOIN _means e ON e.need = {_EVERY} GROUP BY game_id"""
"""For each game and need: deviation of the other clues' played cards from their mean over all games."""


class AgainstOthers(NamedTuple):
    """Rows of one clue type by game and group, and sums over the other clues of all games.

    `bands` are the needs, and `uses` the uses of the other clues by need. `products` has, for each pair of
    needs, the sum over games of the product of their deviations. `games` is the number of games with other
    clues.
    """

    db: Database
    rows: Rows
    codes: str
    bands: list[int]
    uses: Floats
    products: Floats
    games: int


@contextmanager
def against_others(db: Database, played: Rows, codes: str) -> Iterator[AgainstOthers]:
    """Provide the rows of clues whose conventions have these codes, with `worth`, `played` and `uses`."""
    with (
        temporary_table(db, "_means", _MEANS.format(codes=codes)),
        temporary_table(db, "_tokens", _TOKENS.format(codes=codes)),
        temporary_table(db, "_others", _OTHERS.format(codes=codes)),
    ):
        of = db.sql("SELECT need, uses::DOUBLE FROM _means ORDER BY need", temporary=True).rows()
        bands = [need for need, _ in of]
        place = {need: number for number, need in enumerate(bands)}
        products = np.zeros((len(bands), len(bands)))
        query = """SELECT a.need, b.need, sum(a.rest * b.rest) FROM _others a JOIN _others b USING (game_id)
WHERE a.need <= b.need GROUP BY ALL"""
        for one, other, product in db.sql(query, temporary=True).rows():
            products[place[one], place[other]] = products[place[other], place[one]] = product
        games = db.sql("SELECT count(DISTINCT game_id) FROM _others", temporary=True).item()
        uses = np.array([number for _, number in of])
        yield AgainstOthers(db, played.among("_tokens"), codes, bands, uses, products, games)


def more(kind: AgainstOthers, confidence: float, minimum: float) -> Ratios:
    """Return the extra cards per token of each group's clues over the other clues, with intervals.

    Intervals use Student's t with n - 1 degrees of freedom; n is the smaller of the number of games with such
    a clue and the number of games with other clues. Below `FEWEST_GAMES` such games the interval is NaN.
    """
    [sums] = kind.rows.sums([Fraction("r.more", "r.uses", share=False)])
    result = ratios(sums, share=False, confidence=confidence, minimum=minimum)
    result.low[:], result.high[:] = math.nan, math.nan
    shown = ~np.isnan(result.rate)
    weights, with_more, with_uses = _shared(kind)
    rate = np.where(shown, result.rate, 0.0)
    own = sums.ff - 2 * rate * sums.fo + rate * rate * sums.oo
    both = (weights * (with_more - rate[:, None] * with_uses)).sum(axis=1)
    others = np.einsum("gi,ij,gj->g", weights, kind.products, weights)
    spread = np.maximum(own - 2 * both + others, 0.0)
    for number in np.flatnonzero(shown & (spread > 1e-9 * np.maximum(sums.ff, 1.0))).tolist():
        games = min(int(sums.games[number]), kind.games)
        if games >= FEWEST_GAMES:
            error = math.sqrt(spread[number] * games / (games - 1)) / sums.o[number]
            half = student((1 + confidence) / 2, games - 1) * error
            result.low[number], result.high[number] = rate[number] - half, rate[number] + half
    return result


def _shared(kind: AgainstOthers) -> tuple[Floats, Floats, Floats]:
    """Return K / U by group and need, and sums of the other clues' deviations times `more` and `uses`."""
    uses = f"""SELECT game_id, number, need, uses FROM _uses
WHERE code IN ({kind.codes}) AND code IN ({_CLUES})"""
    both = """SELECT t.game_id, t.number, o.need, t.more * o.rest AS more, t.uses * o.rest AS uses
FROM _tokens t JOIN _others o USING (game_id)"""
    known = ", ".join(map(str, kind.bands))
    own = [
        f"sum(r.uses) FILTER (if(r.need IN ({known}), r.need, {_EVERY}) = {need})::DOUBLE AS b{i}"
        for i, need in enumerate(kind.bands)
    ]
    shared = [
        f"sum(r.{name}) FILTER (r.need = {need}) AS {name}{i}"
        for name in ("more", "uses")
        for i, need in enumerate(kind.bands)
    ]
    parts = []
    for name, query, columns in (("_own", uses, own), ("_both", both, shared)):
        with temporary_table(kind.db, name, query):
            frame = kind.rows.among(name).frame(", ".join(columns)).drop("_group")
        parts.append(frame.fill_null(0).to_numpy().astype(np.float64))
    weights = np.divide(parts[0], kind.uses, out=np.zeros_like(parts[0]), where=kind.uses > 0)
    count = len(kind.bands)
    return weights, parts[1][:, :count], parts[1][:, count:]
