"""Wrong values of options, and names that are none: one line in plain words, and what may be meant."""

from __future__ import annotations

import re

import pytest
import typer.core

from tests.cli.running import hanalyze

ALL = re.findall(r"(?m)^  (\w+)  +\w", hanalyze("--help").out)

ours = pytest.mark.skipif(
    not hasattr(typer.core.TyperOption, "get_runtime_param"), reason="an older Typer, with words of its own"
)


@pytest.mark.parametrize("command", ALL)
def test_the_help_knows_no_types_of_python(command: str) -> None:
    text = hanalyze(command, "--help").out
    assert not re.search(r"<(str|int|bool|float|list)\b", text)


@ours
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "stats x --what foo",
            "'--what': there is no \"foo\"; one of: overview, mistakes, clues, wasted-tokens, cards, curve,"
            " scores, points-short, hindsight-losses, systems, conventions, effects, experiment, calibration,"
            " luck; see",
        ),
        ("stats x --what mistake", '\'--what\': there is no "mistake"; did you mean "mistakes"?\n'),
        ("conventions x --system guss", '\'--system\': there is no "guss"; did you mean "guess"?\n'),
        ("sql x y --format CVS", '\'--format\': there is no "CVS"; did you mean "csv"?\n'),
        ("stats x --min foo", "'--min': \"foo\" is not a whole number; see hanalyze stats --help\n"),
        ("stats x --min 0", "'--min': 0 is less than 1; see hanalyze stats --help\n"),
        ("conventions x --level 99", "'--level': 99 is more than 25; see hanalyze conventions --help\n"),
        ("ingest x --level 1.5", "'--level': \"1.5\" is not a whole number; see hanalyze ingest --help\n"),
    ],
)
def test_a_wrong_value(arguments: str, said: str) -> None:
    ran = hanalyze(*arguments.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"hanalyze: invalid value for {said}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["deck", "a", "--variant", "Rainbw"], 'no variant "Rainbw"; did you mean "Rainbow (6 Suits)" or'),
        (["deck", "a", "--variant", "NoVariant"], 'no variant "NoVariant"; did you mean "No Variant"?'),
        (["deck", "a", "--shuffle", "hanablive"], 'no shuffle "hanablive"; did you mean "hanab-live" or'),
        (["mistakes", "x", "--kind", "Discard"], 'no kind of mistake "Discard"; did you mean "discard" or'),
        (["mistakes", "--explain", "misplai"], 'no kind of mistake "misplai"; did you mean "misplay"?'),
    ],
)
def test_a_name_that_is_none(arguments: list[str], said: str) -> None:
    ran = hanalyze(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_errors_of_usage_run_nothing_together() -> None:
    for arguments in (["mistake"], ["stats", "--whta"], ["stats", "x", "--whta", "y"], ["deck", "a", "b"]):
        ran = hanalyze(*arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert not re.search(r"\. [A-Z]|\?;|\(s\)|Possible", ran.err), ran.err
    assert hanalyze("mistake").err == "hanalyze: no such command 'mistake'; did you mean \"mistakes\"?\n"
