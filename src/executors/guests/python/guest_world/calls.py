# A pending tool call: awaited it gives its answer; used without await it blocks and behaves as its answer.
from __future__ import annotations

import asyncio
import builtins
import copy
import errno
import json
import operator
import threading
from typing import Any, Callable, Generator, Optional

# The host's own functions are called like the tools of a server. No configured server can have one of these names.
discovery_server = "\0discovery"
network_server = "\0network"
own_server = "\0coordinator"
people_server = "\0people"
plan_server = "\0plan"
skills_server = "\0skills"
values_server = "\0values"
workspace_server = "\0workspace"

Convert = Callable[[Any], Any]
OnProgress = Callable[[Any], Any]


class ToolError(Exception):
    """A tool, or the way to it, failed. `code` says how."""

    def __init__(self, message: str, code: str = "", name: str = "ToolError") -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.message = message


class Call:
    """Started at once. Has the methods of a coroutine, so that `create_task` and `gather` accept it."""

    __slots__ = (
        *("_body", "_error", "_format", "_is_answered", "_is_seen"),
        *("_convert", "_label", "_on_progress", "_steps", "_value", "_wait", "_waiters"),
    )

    def __init__(
        self,
        label: str,
        wait: Callable[[Call], None],
        convert: Optional[Convert] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> None:
        self._label = label
        self._wait = wait
        self._convert = convert
        self._on_progress = on_progress
        self._is_answered = False
        self._is_seen = False
        self._body: Optional[bytes] = None
        self._format = "json"
        self._error: Optional[Exception] = None
        self._value: Any = None
        self._waiters: list[asyncio.Future[None]] = []
        self._steps: Optional[Generator[Any, None, Any]] = None

    def __await__(self) -> Generator[Any, None, Any]:
        if not self._is_answered:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            yield from waiter
        return result_of(self)

    def send(self, value: Any) -> Any:
        if self._steps is None:
            self._steps = self.__await__()
        return self._steps.send(value)

    def throw(self, *details: Any) -> Any:
        if self._steps is None:
            self._steps = self.__await__()
        return self._steps.throw(*details)

    def close(self) -> None:
        if self._steps is not None:
            self._steps.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(value_of(self), name)

    def __call__(self, *values: Any, **named: Any) -> Any:
        return value_of(self)(*values, **named)

    def __hash__(self) -> int:
        # `gather` puts its arguments into a dictionary before there is an answer.
        return id(self)


def settle_call(call: Call, header: dict[str, Any], body: bytes) -> None:
    """Takes the host's answer. It is parsed when it is used."""
    call._is_answered = True
    if header.get("isAnswer") is True:
        call._body = body
        call._format = str(header.get("format"))
    else:
        call._error = _to_error(
            body.decode("utf-8", "replace"), str(header.get("code") or ""), str(header.get("name") or "ToolError")
        )
    for waiter in call._waiters:
        loop = waiter.get_loop()
        if loop.is_running() and asyncio._get_running_loop() is not loop:
            loop.call_soon_threadsafe(_finish, waiter)
        elif not loop.is_closed():
            _finish(waiter)
    call._waiters.clear()


def _to_error(message: str, code: str, name: str) -> Exception:
    """Raises file errors as Python does: FileNotFoundError and related ones."""
    number = getattr(errno, code, None)
    if not isinstance(number, int):
        return ToolError(message, code, name)
    error = OSError(number, message)
    error.code = code  # type: ignore[attr-defined]
    return error


def _finish(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def result_of(call: Call) -> Any:
    """The answer of a finished call: its value, or the error raised."""
    call._is_seen = True
    if call._error is not None:
        # A copy: a traceback holds every frame on its way, and this call lives until the run ends.
        raise copy.copy(call._error)
    if call._body is not None:
        body = call._body
        call._body = None
        value = _parse(body, call._format)
        call._value = value if call._convert is None else call._convert(value)
    return call._value


def value_of(call: Call) -> Any:
    """Waits for the answer."""
    if not call._is_answered:
        call._wait(call)
    return result_of(call)


def settled(value: Any) -> Any:
    """The value itself, or the answer of the call that stands for it."""
    return value_of(value) if type(value) is Call else value


def unseen_failure(call: Call) -> Optional[str]:
    """The failure of a call that nobody looked at, in words."""
    if call._is_seen or call._error is None:
        return None
    return f"The call of {call._label} that was not awaited failed: {call._error}"


def is_seen(call: Call) -> bool:
    """Whether the program may have looked at the answer."""
    return call._is_seen


def is_answered(call: Call) -> bool:
    return call._is_answered


def _parse(body: bytes, answer_format: str) -> Any:
    if answer_format == "text":
        return body.decode("utf-8", "replace")
    if answer_format == "json":
        return json.loads(body)
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _behave_as_answer() -> None:
    """Every operator of a call is that of its answer."""

    def forward(action: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, *others: action(value_of(self), *map(settled, others))

    def reflect(action: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, other: action(other, value_of(self))

    two_sided = "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor".split()
    for name in two_sided:
        action = getattr(operator, f"__{name}__")
        setattr(Call, f"__{name}__", forward(action))
        setattr(Call, f"__r{name}__", reflect(action))
    # Setting `__eq__` from outside leaves `__hash__` as it is.
    for name in "lt le eq ne gt ge getitem setitem delitem contains neg pos abs invert index".split():
        setattr(Call, f"__{name}__", forward(getattr(operator, f"__{name}__")))
    for name in "len iter str repr bool int float bytes format round reversed dir divmod".split():
        setattr(Call, f"__{name}__", forward(getattr(builtins, name)))


def _encode_as_answer() -> None:
    """`json.dumps` calls `default` for every unknown type."""
    original = json.JSONEncoder.default

    def default(self: json.JSONEncoder, o: Any) -> Any:
        return value_of(o) if type(o) is Call else original(self, o)

    json.JSONEncoder.default = default  # type: ignore[method-assign]


_behave_as_answer()
_encode_as_answer()


def is_blocking_thread() -> bool:
    """Nothing is awaited on threads other than the main one: there a call blocks until its answer."""
    return threading.current_thread() is not threading.main_thread()
