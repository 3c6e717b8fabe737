"""The rules by which a log can be refused: what the fuzzer has to bring up at least once."""

from __future__ import annotations

from typing import Final

RULES: Final = (
    "bad_encoding",
    "bad_gzip",
    "bad_rule",
    "bad_seed",
    "deck_composition",
    "deck_size",
    "deck_too_small",
    "empty",
    "missing_key",
    "no_deck",
    "not_json",
    "number_out_of_range",
    "player_count",
    "shuffle_variant",
    "starting_player",
    "too_deep",
    "too_large",
    "too_many_actions",
    "truncated",
    "unlisted",
    "unknown_edition",
    "unknown_rule",
    "unknown_shuffle",
    "unknown_variant",
    *(f"unknown_variant_of_{name}" for name in ("abacus", "hle", "rnr")),
    "unsupported_option",
    "variant_of_edition",
    "wrong_type",
)
"""Those that the text of a log can break; a missing file or a directory is none of a log's text."""
