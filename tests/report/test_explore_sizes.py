"""The explorer's page of a database that has too many rows for every size: the smallest size is taken."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest

from hanalyze.analysis import example
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.sums import SIZES


def test_the_last_size_is_always_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("plotly")
    for most in ("MOST_ROWS", "MOST_CLUSTERED"):
        monkeypatch.setattr(f"hanalyze.report.explore.sums.{most}", 0)
    with example() as db:
        text = explore_page(db).text
    [data] = re.findall(r'id="data">([^<]*)<', text)
    raw = gzip.decompress(base64.b64decode(data))
    header = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])
    assert not header["exact"]
    assert header["clusters"] <= SIZES[-1].clusters
    assert "month" not in header["dimensions"]
    assert header["listed"] is None
