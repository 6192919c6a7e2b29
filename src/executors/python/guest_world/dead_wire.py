# A wire that leads nowhere, for rehearsing a run.
from __future__ import annotations

import json
from typing import Any, Optional

from .frame import Frame


class DeadWire:
    """Leads nowhere."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        json.dumps(header).encode()

    def receive(self, timeout: Optional[float] = None, is_soon: bool = False) -> Optional[Frame]:
        return None

    def wake(self) -> None:
        pass

    def is_sending(self) -> bool:
        return False
