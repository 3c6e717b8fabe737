"""Statistical methods that are independent of Hanabi: intervals, tests, multiplicity."""
