"""Dashboard about many games on one page, and its figures."""
