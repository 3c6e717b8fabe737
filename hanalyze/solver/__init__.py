"""Best play with all cards open: the best score that a deal allowed, and the moves that lowered it."""
