# Any Python value as JSON: a value without a JSON form becomes the nearest one that has it.
from __future__ import annotations

import base64
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import sys
import types
import uuid
from typing import Any

from .calls import Call, value_of

_deepest = 200
# Integers up to here are exact as floats.
_exact = 2**53


class Marking:
    """How handles are written: by a mark that only one call knows, or as their own description."""

    mark = ""
    is_used = False


marking = Marking()


class InexactNumber(TypeError):
    """A number that JSON would change or cannot hold."""


def to_json(value: Any, is_exact: bool = False) -> str:
    """JSON of a value. Raises TypeError, naming the type, if there is none; `is_exact` also raises InexactNumber."""
    try:
        if is_exact:
            _refuse_inexact(value)
        default = _step_exactly if is_exact else _step
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=default)
    except InexactNumber:
        raise
    except (ValueError, TypeError, RecursionError):
        # NaN, a key that is no string, a cycle: worth a slower walk.
        return json.dumps(_to_plain(value, 0, is_exact), ensure_ascii=False, allow_nan=False)


def _refuse_inexact(value: Any, depth: int = 0) -> None:
    """A float for an integer beyond 2**53 has lost digits: silently changing a number in a call does harm."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InexactNumber(f"cannot pass {float(value)}: JSON has no such number")
        if abs(value) > _exact and value.is_integer():
            raise InexactNumber(f"cannot pass {float(value)!r}: a float is exact only up to 2**53, pass an int")
    if depth > _deepest or isinstance(value, (str, int, type(None))):
        return
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for item in items:
        _refuse_inexact(item, depth + 1)


def _step(value: Any) -> Any:
    # One-shot iterables are left to the slower walk, which must not find them used up.
    if isinstance(value, collections.abc.Iterator):
        raise TypeError
    return _to_plain_one(value)


def _step_exactly(value: Any) -> Any:
    plain = _step(value)
    _refuse_inexact(plain)
    return plain


def _to_plain(value: Any, depth: int, is_exact: bool) -> Any:
    if depth > _deepest:
        raise TypeError("it is nested too deeply or contains itself")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _to_plain_text(value)
    if isinstance(value, int) and not isinstance(value, enum.Enum):
        return int(value)
    if isinstance(value, float):
        if is_exact:
            _refuse_inexact(value)
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {_to_key(key): _to_plain(item, depth + 1, is_exact) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_plain(item, depth + 1, is_exact) for item in value]
    return _to_plain(_to_plain_one(value), depth + 1, is_exact)


def _to_key(key: Any) -> str:
    if isinstance(key, str):
        return _to_plain_text(key)
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    if isinstance(key, tuple):
        return ",".join(map(str, key))
    return str(_to_plain_one(key)) if _is_convertible(key) else str(key)


def _to_plain_text(value: str) -> str:
    """As `json` writes it: `str()` of a string enumeration is its name."""
    return str.__str__(value)


def _is_convertible(value: Any) -> bool:
    return isinstance(value, (datetime.date, datetime.time, enum.Enum))


def _to_plain_one(value: Any) -> Any:
    """One step towards JSON."""
    if type(value) is Call:
        return value_of(value)
    if hasattr(type(value), "__plain__"):
        return value.__plain__()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        # A missing timestamp of pandas (NaT) is not equal to itself.
        return value.isoformat() if value == value else None
    if isinstance(value, decimal.Decimal):
        return _to_number(value)
    if isinstance(value, (datetime.timedelta, uuid.UUID, pathlib.PurePath)):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _to_text(bytes(value))
    if isinstance(value, (set, frozenset)):
        return _sorted_when_possible(value)
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": str(value)}
    converted = _from_data_library(value)
    if converted is not value:
        return converted
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    is_iterable = isinstance(value, (collections.abc.Sequence, collections.abc.Set, collections.abc.Iterator))
    if is_iterable or isinstance(value, (collections.abc.MappingView, collections.deque, range)):
        return list(value)
    if isinstance(value, types.SimpleNamespace):
        return vars(value)
    raise TypeError(f'it contains a value of type "{type(value).__name__}"')


def _to_number(value: decimal.Decimal) -> Any:
    if not value.is_finite():
        return math.nan if value.is_nan() else float(value)
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if decimal.Decimal(repr(number)) == value else str(value)


def _to_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def _sorted_when_possible(value: Any) -> list[Any]:
    try:
        return sorted(value)
    except TypeError:
        return list(value)


def _from_data_library(value: Any) -> Any:
    """Values of numpy and pandas; the libraries are looked up only if a program has imported them."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "DataFrame"):
        if value is pandas.NA or value is pandas.NaT:
            return None
        if isinstance(value, pandas.DataFrame):
            return _from_frame(pandas, value)
        if isinstance(value, pandas.Series):
            return _from_series(pandas, value)
        if isinstance(value, (pandas.Index, pandas.api.extensions.ExtensionArray)):
            return list(value)
        if isinstance(value, (pandas.Period, pandas.Timedelta, pandas.Interval)):
            return str(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "ndarray"):
        if isinstance(value, numpy.ndarray):
            return value.tolist()
        if isinstance(value, (numpy.datetime64, numpy.timedelta64)):
            return None if numpy.isnat(value) else str(value)
        if isinstance(value, numpy.generic):
            return value.item()
    return value


def _from_frame(pandas: Any, frame: Any) -> list[dict[str, Any]]:
    # A meaningful index, e.g. the keys of a grouping, becomes columns.
    if not isinstance(frame.index, pandas.RangeIndex):
        has_clash = any(name in frame.columns for name in frame.index.names)
        frame = frame.reset_index(drop=has_clash)
    names = [_to_key(name) for name in frame.columns]
    rows = zip(*(_list_present(frame.iloc[:, at]) for at in range(len(names))))
    return [dict(zip(names, row)) for row in rows]


def _from_series(pandas: Any, series: Any) -> Any:
    if isinstance(series.index, pandas.RangeIndex):
        return _list_present(series)
    return {_to_key(key): item for key, item in zip(series.index.tolist(), _list_present(series))}


def _list_present(series: Any) -> list[Any]:
    """pandas writes missing values in a number column as NaN."""
    return [None if isinstance(item, float) and math.isnan(item) else item for item in series.tolist()]
