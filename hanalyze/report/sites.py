"""Addresses of stored games on hanab.live."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hanalyze.logs.sources.site import compact_address, numbered_address
from hanalyze.store import Database
from hanalyze.store.batches import stored_deals


def find_sites(db: Database, games: Iterable[int]) -> dict[int, str]:
    """Return the addresses of games on hanab.live, by `game_id`; games with defects need a number."""
    query = "SELECT game_id, source_id, source, defects FROM games WHERE game_id IN (SELECT unnest($games))"
    site: dict[int, str] = {}
    unnumbered = []
    for key, number, source, defects in db.sql(query, {"games": sorted({*games})}).iter_rows():
        if (address := numbered_address(number, source)) is not None:
            site[key] = address
        elif not defects:
            unnumbered.append(key)
    for key, deal in stored_deals(db.connection, np.array(unnumbered, np.int64), 1000):
        if (address := compact_address(deal.record)) is not None:
            site[key] = address
    return site
