"""Play recorded games again: the rules as functions over arrays, interpreted for one game, compiled for many."""
