# The guest of the embedded interpreter: the same world as elsewhere, on a wire whose other end is in JavaScript.
from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from typing import Any, NoReturn, Optional

from guest_world.channel import Frame, Wire
from guest_world.limits import Memory
from guest_world.preload import import_all, standard_library
from guest_world.repeatable import sleeps
from guest_world.serve import Guest

# Here and not in `serve`: the snapshot of the interpreter contains them.
import_all(standard_library)

# A busy loop would never see an answer: now and then it has to wait for real.
_turns_between_waits = 50


class JavaScriptWire(Wire):
    """Frames through functions of the surrounding process. The host owns the clocks: only frames can be waited for."""

    def __init__(self, host: Any) -> None:
        self._host = host
        self._turns = 0

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        self._host.send(json.dumps(header), body.decode("utf-8", "replace"))

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        if timeout == 0:
            self._turns += 1
            if self._turns % _turns_between_waits != 0:
                return None
        found = self._host.receive(-1 if timeout is None else timeout * 1000)
        return None if found is None else Frame(json.loads(found.header), str(found.body).encode("utf-8", "replace"))


class EmbeddedMemory(Memory):
    """The interpreter's memory can only grow, and JavaScript sets its limit."""

    def __init__(self, host: Any) -> None:
        super().__init__(is_counted=False)
        self._host = host

    def limit(self, megabytes: int) -> None:
        self._host.limitMemory(megabytes)

    def release_reserve(self) -> None:
        self._host.limitMemory(-1)

    def used_bytes(self) -> int:
        return int(self._host.usedBytes())


class _GuestPolicy(asyncio.events._BaseDefaultEventLoopPolicy):  # type: ignore[name-defined,misc]
    """The default policy creates loops over sockets, which do not exist here."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop()


_javascript_modules = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "host_door")


def _forget_javascript() -> None:
    """Nothing in this interpreter leads to JavaScript but the wire, which is made for that."""
    # Pyodide replaced them with its own.
    asyncio.run = asyncio.runners.run
    asyncio.events._event_loop_policy = _GuestPolicy()  # type: ignore[attr-defined]
    sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__module__", "").split(".")[0] != "_pyodide"]
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in _javascript_modules:
            del sys.modules[name]
            # A JavaScript module has no dictionary of its own.
            getattr(module, "__dict__", {}).clear()
    for name in _javascript_modules:
        # Cannot be found by name again. Code that gets past that meets a sealed JavaScript realm.
        sys.modules[name] = None  # type: ignore[assignment]


def serve(host: Any) -> NoReturn:
    # The interpreter's own loop belongs to JavaScript and would never get its turn.
    asyncio._set_running_loop(None)
    random.seed(os.urandom(16))
    _forget_javascript()
    guest = Guest(JavaScriptWire(host), EmbeddedMemory(host), has_signals=False)
    time.sleep = lambda seconds: guest.sleep(sleeps.shorten(seconds))
    guest.rehearse()
    guest.serve()
