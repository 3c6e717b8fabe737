"""The version of the package, which is defined only in this file."""

__version__ = "1.0.0"
