# One message between host and guest, and the wire that carries it.
from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional, Protocol


class Frame(NamedTuple):
    header: dict[str, Any]
    body: bytes


class Wire(Protocol):
    """How a guest reaches its host: descriptors, or an imitation of them."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None: ...

    def receive(self, timeout: Optional[float] = None, is_soon: bool = False) -> Optional[Frame]:
        """The next frame; None on timeout or after another thread called `wake`. `is_soon`: an answer is pending."""

    def wake(self) -> None:
        """Ends a `receive` that waits on another thread."""

    def is_sending(self) -> bool:
        """Whether a frame is half written."""
        ...


class DeadWire:
    """A wire that leads nowhere, for rehearsing a run."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        json.dumps(header).encode()

    def receive(self, timeout: Optional[float] = None, is_soon: bool = False) -> Optional[Frame]:
        return None

    def wake(self) -> None:
        pass

    def is_sending(self) -> bool:
        return False
