# How far a call is, for the function that the program gave to `with_`.
from __future__ import annotations

import asyncio
import json
from typing import Optional

from .calls import Call
from .repeatable import clock

_is_telling = False


def tell_progress(call: Optional[Call], body: bytes) -> None:
    """A resumed run gets no progress, so nothing that a run must repeat may depend on it."""
    global _is_telling
    if call is None or call._on_progress is None:
        return
    _is_telling = True
    try:
        with clock.without_readings():
            returned = call._on_progress(json.loads(body))
    finally:
        _is_telling = False
    if asyncio.iscoroutine(returned):
        returned.close()
        raise TypeError("Cannot await on_progress: it must be a function without async")


def refuse_calls() -> None:
    """Called in a function that reports progress."""
    if _is_telling:
        raise TypeError("Cannot call a tool in on_progress: only note or print the progress there")
