# A minimal `fetch`: the host makes the request if the configuration allows its address.
from __future__ import annotations

import dataclasses
import json as json_module
from typing import Any, Callable, Mapping, Optional, Union


class Headers(dict[str, str]):
    """Case-insensitive names."""

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name.lower(), default)


@dataclasses.dataclass(frozen=True)
class Response:
    status: int
    ok: bool
    url: str
    headers: Headers
    body: str = dataclasses.field(repr=False)

    def text(self) -> str:
        return self.body

    def json(self) -> Any:
        return json_module.loads(self.body)


def to_response(answer: Any) -> Response:
    status = int(answer["status"])
    return Response(status, 200 <= status < 300, answer["url"], Headers(answer["headers"]), answer["body"])


def create_fetch(send: Callable[[str, dict[str, Any]], Any]) -> Callable[..., Any]:
    def fetch(
        url: Any,
        options: Optional[Mapping[str, Any]] = None,
        *,
        method: Optional[str] = None,
        headers: Optional[Mapping[str, Any]] = None,
        body: Union[str, bytes, None] = None,
        json: Any = None,
    ) -> Any:
        """A request to a listed host: `.status`, `.ok`, `.url`, `.headers`, `.text()`, `.json()`."""
        given = dict(options or {})
        body = given.get("body") if body is None else body
        named = {str(name).lower(): str(value) for name, value in (headers or given.get("headers") or {}).items()}
        if json is not None:
            body = json_module.dumps(json)
            named.setdefault("content-type", "application/json")
        text = bytes(body).decode() if isinstance(body, (bytes, bytearray, memoryview)) else body
        request: dict[str, Any] = {"method": str(method or given.get("method") or "GET"), "headers": named}
        if text is not None:
            request["body"] = str(text)
        return send(str(url), request)

    return fetch
