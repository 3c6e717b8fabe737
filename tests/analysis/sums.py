"""Sums and ratios of games and groups, computed with NumPy to check the package's SQL."""

from __future__ import annotations

import numpy as np

from hanalyze.analysis.statistics.intervals import Sums
from hanalyze.analysis.statistics.ratios import (
    GroupSums,
    Ratios,
    Shared,
    Total,
    against_other_groups,
    ratios,
)


def group_sums(group: np.ndarray, groups: int, found: np.ndarray, of: np.ndarray) -> GroupSums:
    """Return the sums of `groups` groups, of rows with an opportunity."""
    there = of > 0
    group, f, o = group[there], found[there].astype(float), of[there].astype(float)
    least = np.full(groups, np.inf)
    np.minimum.at(least, group, f)
    products = (np.bincount(group, values, groups) for values in (f, o, f * f, f * o, o * o))
    return GroupSums(np.bincount(group, minlength=groups), *products, least)


def group_ratios(
    group: np.ndarray,
    groups: int,
    game: np.ndarray,
    found: np.ndarray,
    of: np.ndarray,
    *,
    share: bool = True,
    minimum: float = 0,
) -> Ratios:
    """Return the ratios of groups with p-values against all others; a game may be of several groups."""
    f, o = np.where(of > 0, found, 0).astype(float), of.astype(float)
    number = np.unique(game, return_inverse=True)[1]
    all_f, all_o = np.bincount(number, f), np.bincount(number, o)
    total = Total(Sums.of(all_f, all_o), int((all_o > 0).sum()))
    products = (f * all_f[number], f * all_o[number], o * all_f[number], o * all_o[number])
    both = (o > 0) & (all_o[number] > o)
    shared = Shared(
        np.bincount(group, both, groups).astype(int), *(np.bincount(group, one, groups) for one in products)
    )
    sums = group_sums(group, groups, found, of)
    p_values = against_other_groups(sums, total, shared, share)
    return ratios(sums, share=share, minimum=minimum, p_values=p_values)
