"""Statistics without Hanabi: intervals, tests, multiplicity."""
