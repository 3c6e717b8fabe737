"""The page of a quiz: puzzles to answer, as one HTML file that loads nothing."""
