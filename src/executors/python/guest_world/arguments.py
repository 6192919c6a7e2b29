# The values of a call as sent to the host: keyword arguments are the fields of one object.
from __future__ import annotations

import keyword
from typing import Any, Sequence


def to_values(values: Sequence[Any], fields: dict[str, Any]) -> Sequence[Any]:
    if not fields:
        return values
    # Python spells reserved names as `from_` and `class_`.
    named = {
        name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name: value
        for name, value in fields.items()
    }
    if len(values) == 1 and isinstance(values[0], dict):
        return [{**values[0], **named}]
    return [*values, named]
