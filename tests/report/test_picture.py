"""Pictures without a browser: what is asked of Kaleido, and what is said when it cannot."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.report.dashboard.picture import picture

kaleido = pytest.importorskip("kaleido")
errors = pytest.importorskip("kaleido.errors")
FIGURE = pytest.importorskip("plotly.graph_objects").Figure(layout={"width": 900, "height": 400})


def test_nothing_is_loaded_and_no_name_is_typeset(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def drawn(figure: Any, **how: Any) -> bytes:
        asked.update(how, level=logging.getLogger("choreographer").getEffectiveLevel())
        return b"picture"

    monkeypatch.setattr(kaleido, "calc_fig_sync", drawn)
    figure = FIGURE
    assert picture(figure, "png") == b"picture"
    assert asked["kopts"] == {"mathjax": False}
    assert asked["opts"] == {"format": "png", "width": 900, "height": 400, "scale": 2}
    assert asked["level"] == logging.CRITICAL
    assert logging.getLogger("choreographer").level == logging.NOTSET
    picture(figure, "svg")
    assert asked["opts"]["scale"] == 1


def test_a_home_is_lent_to_who_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    homes: list[str] = []

    def drawn(*_: Any, **__: Any) -> bytes:
        homes.append(os.environ["HOME"])
        (Path(homes[-1]) / "written").touch()
        return b"picture"

    monkeypatch.setattr(kaleido, "calc_fig_sync", drawn)
    figure = FIGURE
    for home, lent in ((str(tmp_path), False), ("relative", True)):
        monkeypatch.setenv("HOME", home)
        assert picture(figure, "svg") == b"picture"
        assert os.environ["HOME"] == home
        assert os.path.isabs(homes[-1])
        assert (homes[-1] != home) is lent
        assert Path(homes[-1]).exists() is not lent


@pytest.mark.parametrize(
    ("error", "rule", "line"),
    [
        (errors.ChromeNotFoundError("x"), "no_browser", "to draw a picture, Chrome or Chromium is needed"),
        (errors.BrowserFailedError("x"), "no_browser", "Chrome or Chromium does not start"),
        (ValueError("one\ntwo"), "no_picture", "the browser cannot draw the picture: one; write .html"),
        (TimeoutError(), "no_picture", "the browser cannot draw the picture: TimeoutError; write"),
    ],
)
def test_whatever_fails_is_one_line(
    error: Exception, rule: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> bytes:
        raise error

    monkeypatch.setattr(kaleido, "calc_fig_sync", fail)
    with pytest.raises(HanalyzeError) as caught:
        picture(FIGURE, "svg")
    assert caught.value.rule == rule
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)
