"""Pages about games, each a single HTML file that opens from disk and loads nothing, and figures."""
