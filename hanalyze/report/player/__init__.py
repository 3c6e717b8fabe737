"""Page about one player."""
