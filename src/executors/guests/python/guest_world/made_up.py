# Tracks which made-up answers of a plan the program has used. Every call reports them to the host.
from __future__ import annotations

from typing import Any

from .calls import Call, is_seen

# One is enough to make all later calls depend on it.
_max_used = 8


class ToDiscard(list[Any]):
    """The values of a call whose answer is discarded."""


class MadeUpAnswers:
    def __init__(self) -> None:
        self._unseen: dict[int, Call] = {}
        self._left = _max_used

    def take(self, header: dict[str, Any], call: Call) -> None:
        """Notes an answer that has arrived."""
        if header.get("madeUp"):
            self._unseen[header["call"]] = call

    def with_used(self, header: dict[str, Any], values: Any) -> dict[str, Any]:
        """The header of a call, with what was used since the last one."""
        used = [number for number, call in list(self._unseen.items()) if is_seen(call)]
        for number in used:
            del self._unseen[number]
        if used and self._left > 0:
            header["used"] = ",".join(map(str, used[: self._left]))
            self._left -= len(used)
        if isinstance(values, ToDiscard):
            header["isDiscarded"] = True
        return header
