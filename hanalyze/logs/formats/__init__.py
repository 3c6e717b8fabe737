"""Formats of logs, one module per format."""
