"""Play recorded games again: the rules as functions over arrays, interpreted or compiled."""
