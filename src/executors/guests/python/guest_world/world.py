# The names that a run has without an import. Names that an earlier run of the session defined stay its own.
from __future__ import annotations

from typing import Any


class World:
    """Gives names to a program without overriding its own."""

    def __init__(self) -> None:
        self._given: dict[str, Any] = {}

    def give(self, names: dict[str, Any], values: dict[str, Any], functions: dict[str, Any]) -> None:
        """`values` replace those given before; `functions` stay once they exist."""
        for name, value in values.items():
            if name not in names or names[name] is self._given.get(name):
                names[name] = self._given[name] = value
        for name, function in functions.items():
            names.setdefault(name, function)
