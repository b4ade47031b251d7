"""Conversion of all kinds of tables to columns that the program reads."""
from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tacit._errors import InputError
from tacit._frames import frame_of, is_frame
from tacit._options import arguments, declared


def refusal(data: Any, **keywords: Any) -> str:
    with pytest.raises(InputError) as caught:
        frame_of(data, **keywords)
    return str(caught.value)


def test_tables_that_are_alike_become_the_same_columns() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4]})
    array = table.to_numpy(dtype=float)
    records = np.array([(1.0, 3), (2.0, 4)], dtype=[("a", "f8"), ("b", "i4")])
    for data in (table, dict(table), array, records, {"a": (1, 2), "b": [3, 4]}):
        frame = frame_of(data, ["a", "b"] if data is array else None)
        assert list(frame.columns) == ["a", "b"] and len(frame) == 2
        for name, column in frame.columns.items():
            assert isinstance(column, np.ndarray) and column.dtype == np.float64
            assert column.tolist() == table[name].tolist()
        assert not frame.levels and not frame.dates


def test_numbers_are_not_copied() -> None:
    array, table = np.eye(3), pd.DataFrame({"x": [1.0, 2.0]})
    assert np.shares_memory(frame_of(array, ["a", "b", "c"]).columns["b"], array)
    assert np.shares_memory(frame_of(table).columns["x"], table["x"].to_numpy())
    one = np.array([1.0, 2.0])
    assert frame_of({"x": one}).columns["x"] is one


@pytest.mark.parametrize(
    "values",
    [
        pd.array([1, None, 3], dtype="Int64"),
        pd.array([1.0, None, 3.0], dtype="Float64"),
        pd.Series([1, None, 3], dtype=object),
        [1, None, 3.0],
        [decimal.Decimal(1), float("nan"), 3],
        np.ma.masked_equal([1, 2, 3], 2),  # type: ignore[no-untyped-call]
        np.array([1, np.nan, 3], dtype=np.float32),
    ],
)
def test_numbers_with_a_gap(values: Any) -> None:
    np.testing.assert_array_equal(frame_of({"x": values}).columns["x"], [1, np.nan, 3])


def test_texts_and_categories_have_levels() -> None:
    frame = frame_of(
        pd.DataFrame(
            {
                "word": ["b", None, "a"],
                "string": pd.array(["b", None, "a"], dtype="string"),
                "stage": pd.Categorical(["late", None, "early"], ["early", "late", "never"]),
                "grade": pd.Categorical([3, 1, None], [3, 2, 1]),
                "flag": [True, False, True],
                "maybe": pd.array([True, None, False], dtype="boolean"),
            }
        )
    )
    assert frame.columns["word"] == frame.columns["string"] == ["b", "", "a"]
    assert frame.columns["stage"] == ["late", "", "early"]
    np.testing.assert_array_equal(frame.columns["grade"], [3, 1, np.nan])
    np.testing.assert_array_equal(frame.columns["flag"], [1, 0, 1])
    np.testing.assert_array_equal(frame.columns["maybe"], [1, np.nan, 0])
    assert frame.levels == {
        "word": [], "string": [], "stage": ["early", "late", "never"], "grade": ["3", "2", "1"],
        "flag": ["0", "1"], "maybe": ["0", "1"],
    }  # fmt: skip


def test_dates() -> None:
    days = pd.to_datetime(["2024-02-29", None])
    frame = frame_of(
        pd.DataFrame(
            {
                "day": days,
                "time": pd.to_datetime(["2024-02-29 12:30", None]),
                "zone": days.tz_localize("Europe/Berlin"),
                "object": [datetime.date(2024, 2, 29), None],
            }
        )
    )
    assert frame.dates == ("day", "time", "zone", "object")
    assert frame.columns["day"] == frame.columns["object"] == ["2024-02-29", ""]
    assert frame.columns["time"] == ["2024-02-29T12:30:00.000000", ""]
    assert frame.columns["zone"] == ["2024-02-29T00:00:00+01:00", ""]


def test_rows_keep_their_names() -> None:
    assert list(frame_of(pd.DataFrame({"x": [1, 2]}, index=["p1", "p2"])).index) == ["p1", "p2"]
    assert frame_of({"x": [1, 2]}).index is None


def test_names_are_texts() -> None:
    assert list(frame_of(pd.DataFrame([[1, 2]])).columns) == ["0", "1"]
    assert list(frame_of({" age ": [1]}).columns) == ["age"]


def test_what_cannot_be_used_is_refused_by_name() -> None:
    assert refusal(pd.DataFrame([[1, 2]], columns=["a", "a"])) == "column 'a' appears twice; rename one of them"
    assert refusal({1: [1], "1": [2]}) == "column '1' appears twice; rename one of them"
    assert "column 'c' has complex numbers" in refusal({"c": [1j]})
    assert "column 'c' has a cell of type list" in refusal(pd.DataFrame({"c": [[1], [2, 3]]}))
    assert "column 'c' has several values per row" in refusal({"c": np.eye(2)})
    assert "column 'c' has time spans" in refusal({"c": np.array([1], dtype="m8[D]")})
    assert "column 'c' is a single str" in refusal({"c": "abc"})
    assert refusal({"a": [1], "b": [1, 2]}) == "column 'b' has 2 rows, but 'a' has 1"
    assert refusal({}) == "the table has no columns"
    assert refusal(pd.DataFrame({"a": []})) == "the table has no rows"
    assert "a MultiIndex" in refusal(pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
    assert refusal({1.5: [1]}) == "1.5 is not a column name; names are text"
    assert "the array has 2 columns" in refusal(np.eye(2))
    assert "is not a table" in refusal(7)


def test_columns_that_nobody_needs_may_hold_anything() -> None:
    frame = frame_of({"x": [1.0], "junk": [[1]]}, lenient=True)
    assert list(frame.columns) == ["x"]
    frame.require(["x"])
    with pytest.raises(InputError, match="column 'junk' has a cell of type list"):
        frame.require(["x", "junk"])


def test_one_table_or_several() -> None:
    assert is_frame({"x": np.array([1.0]), "y": [2]}) and is_frame(pd.DataFrame()) and is_frame(np.eye(2))
    assert not is_frame({"north": pd.DataFrame(), "south": pd.DataFrame()})
    assert not is_frame({"north": {"x": [1]}}) and not is_frame({"north": "north.csv"}) and not is_frame("x.csv")


def test_what_tables_declare() -> None:
    one = frame_of({"c": pd.Categorical(["a"], ["a", "b"]), "d": np.array(["2024-01-01"], "M8[D]"), "x": [1]})
    other = frame_of({"c": pd.Categorical(["z"], ["z", "b"]), "d": np.array(["2024-01-01"], "M8[D]"), "x": [1]})
    plain = frame_of({"c": ["q"], "d": np.array(["2024-01-01"], "M8[D]"), "x": [1]})
    comma = frame_of({"c": pd.Categorical(["a, b"])})

    def said(*frames: Any, **keywords: Any) -> list[str]:
        asked: dict[str, Any] = {"categorical": None, "date": None, **keywords}
        return arguments(**declared(frames, ["c", "d", "x"], **asked))

    assert said(one) == ["--categorical=c:a|b", "--date=d"]
    assert said(one, other) == ["--categorical=c:a|b|z", "--date=d"]
    assert said(one, plain) == ["--categorical=c", "--date=d"]
    assert said(comma) == ["--categorical=c"]
    by_hand = said(one, categorical="c", date={"d": ["2020-01-31", "weekday"]})
    assert by_hand == ["--categorical=c", "--date=d:2020-01-31|weekday"]
    with pytest.raises(InputError, match="column 'c': 'a, b' has a comma"):
        said(one, categorical={"c": ["a, b"]})
    with pytest.raises(InputError, match="has a colon"):
        said(one, categorical={"c:d": ["a"]})


def test_texts_that_may_be_no_categories() -> None:
    with pytest.raises(InputError, match="column 'age' has numbers that are stored as text"):
        declared([frame_of({"age": ["61", "48", ""]})], ["age"], None, None)
    assert declared([frame_of({"age": ["61", "48"]})], ["age"], ["age"], None)["categorical"] == {"age": []}
    with pytest.raises(InputError, match="column 'patient' has a different text in each of 30 rows"):
        declared([frame_of({"patient": [f"p{k}" for k in range(30)]})], ["patient"], None, None)
