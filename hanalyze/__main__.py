"""`python -m hanalyze`: the same as the command `hanalyze`."""

from __future__ import annotations

from hanalyze.cli import main

if __name__ == "__main__":
    main()
