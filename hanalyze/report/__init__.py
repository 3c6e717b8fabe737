"""HTML pages about games, and figures; a page is one file that loads nothing, or a folder (`explore`)."""
