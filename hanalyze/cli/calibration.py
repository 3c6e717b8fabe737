"""`hanalyze stats --what calibration` for people: what chances said and what came, question by question.

In: the frame of `hanalyze.analysis.calibration`. Out: a frame of texts, and lines about how the chances were
made.
"""

from __future__ import annotations

from typing import Any, Final

from hanalyze.lazy import polars as pl
from hanalyze.words import ENOUGH_CARDS, chance_in_words

_METHODS: Final = {
    "shipped": "as it is shipped",
    "adjusted": "adjusted by two numbers for each place and target",
    "refitted": "fitted again",
}


def readable_calibration(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame for people: the column of its group, if it has one, then texts."""
    if frame.is_empty():
        return frame
    groups = frame.columns[: frame.columns.index("question")]
    return pl.DataFrame([_readable(row, groups) for row in frame.iter_rows(named=True)])


def _readable(row: dict[str, Any], groups: list[str]) -> dict[str, Any]:
    everything = row["tenth"] is None
    return {
        **{name: row[name] for name in groups},
        "question": row["question"].replace("_", " ") if everything else "",
        "said": "all" if everything else f"{10 * row['tenth']}-{10 * row['tenth'] + 9}%",
        "cards": row["cards"],
        **{
            head: "" if row[name] is None else chance_in_words(row[name], row[rows])
            for head, name, rows in (
                ("by the cards alone", "said_cards", "cards"),
                ("by the model", "said_state", "fitted"),
                ("by the act", "said_act", "fitted"),
            )
        },
        "was": _was(row),
        "rests on": row["fitted"],
        "log loss": " / ".join(
            f"{row[name]:.3f}" for name in ("loss_cards", "loss_state", "loss_act") if row[name] is not None
        ),
    }


def _was(row: dict[str, Any]) -> str:
    """Return the share that came and its standard error; of few cards, how many.

    >>> _was({"was": 0.25, "standard_error": 0.021, "cards": 400})
    '25% ± 2.1'
    >>> _was({"was": 0.25, "standard_error": 0.21, "cards": 4})
    '1 of 4'
    """
    if row["cards"] < ENOUGH_CARDS:
        return f"{row['was'] * row['cards']:.0f} of {row['cards']}"
    return f"{100 * row['was']:.{1 if row['was'] < 0.1 else 0}f}% ± {100 * row['standard_error']:.1f}"


def calibration_notes(frame: pl.DataFrame) -> list[str]:
    """Return how the chances were made, a line each."""
    if not frame.height:
        return []
    first = frame.row(0, named=True)
    used = "messages and context" if first["features"] == "conventions" else "context (no conventions read)"
    return [
        f"cards of the hand to move whose odds are neither 0 nor 1; a model of {used}:"
        f' "{first["model"]}", {_METHODS[first["method"]]}',
        f"fitted on {first['corpus']}",
        "said: by the model, for cards played or discarded by the act, which takes the decision as evidence",
        "±: standard error, games as clusters; rests on: cards of that tenth that the fit has seen"
        f" (about: below {ENOUGH_CARDS})",
        "log loss: cards alone / model / act; less is better",
    ]
