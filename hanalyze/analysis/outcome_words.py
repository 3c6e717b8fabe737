"""What became of a finding: the words that say whether the convention worked."""

from __future__ import annotations

from typing import Final

SETTLED: Final = ("success", "failed", "missed", "stomped", "broken", "passed_back")
"""What became of a finding where that says whether the convention worked. Left out: what expected nothing,
what the end of the game cut off (censored), and cards that another copy made needless (superseded)."""

READ: Final = ("success", "broken", "passed_back")
"""Of them, those in which the called players did what they were called to do; a focus that was misplayed as
well (failed with a strike)."""
