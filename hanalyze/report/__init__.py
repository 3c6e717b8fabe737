"""HTML pages about games, and figures; each page is a single file that opens from disk and loads nothing."""
