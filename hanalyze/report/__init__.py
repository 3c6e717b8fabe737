"""Pages about games, each one HTML file that opens from disk and loads nothing; and figures."""
