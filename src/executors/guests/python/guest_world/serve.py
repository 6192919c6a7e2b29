# Takes runs from the host and executes them: limits, tool calls, output, outcome.
from __future__ import annotations

import asyncio
import inspect
import io
import itertools
import json
import linecache
import sys
import threading
import traceback
import types
from typing import Any, NoReturn, Optional, Sequence

from . import repeatable
from .async_code import await_within, guard_print
from .calls import (
    Call,
    Convert,
    OnProgress,
    is_answered,
    is_blocking_thread,
    network_server,
    settle_call,
    unseen_failure,
    value_of,
)
from .channel import Frame, Wire, leave
from .folders import install_files
from .handles import to_arguments
from .limits import Alarms, CallBudget, Memory
from .loop import Deadlock, Traffic, install_loop, is_pooled
from .output import LogStream, Stopped, to_failure
from .plan import MadeUpAnswers
from .program import World, compile_program, start_program
from .tools import install_library
from .values import to_json
from .workspace import HostFiles

# A run that was waiting for its guest arrives within this time.
_soon_seconds = 0.001


class Guest:
    """One guest process. Without a session it takes one run and exits."""

    def __init__(self, wire: Wire, memory: Memory, has_signals: bool = True) -> None:
        self._wire = wire
        self._memory = memory
        self._alarms = Alarms(has_signals, self._is_late)
        self._pending: dict[int, Call] = {}
        self._failed: list[Call] = []
        self._ids = itertools.count(1)
        self._traffic = Traffic(wire, self._take, lambda: len(self._pending) > 0)
        self._loop = install_loop(self._traffic)
        files = HostFiles(self._start_call, lambda: not self._is_over)
        self._library = install_library(self._start_call, files)
        self._files = install_files(files)
        guard_print()
        self._main = types.ModuleType("__main__")
        self._world = World()
        self._run = 0
        self._is_session = self._is_async = False
        self._is_over = True
        self._output_left = self._calls_left = self._host_calls_left = 0
        self._budget = CallBudget()
        self._out = LogStream(lambda text: self._log("log", text), lambda: self._output_left)
        self._err = LogStream(lambda text: self._log("error", text), lambda: self._output_left)

    def rehearse(self) -> None:
        """Rehearses a run, so that pages shared with the parent are copied before a run waits for them."""
        wire, memory = self._wire, self._memory
        self._wire, self._memory = Wire(), Memory(is_counted=False)
        job = {"code": "print(len([1, 'text', {'key': 1.5}]))\nreturn 1", "files": {}, "globals": {}}
        limits = {"timeoutMs": 60_000, "memoryMb": 1, "outputBytes": 1000, "calls": 0, "argumentBytes": 0, "bytesInFlight": 0}
        sys.stdout = self._out
        self._take_run(Frame({"run": 0, "isSession": True, "limits": limits}, json.dumps(job).encode()))
        self._wire, self._memory = wire, memory
        self._main = types.ModuleType("__main__")
        linecache.clearcache()

    def serve(self, rehearses: bool = False) -> NoReturn:
        """Rehearses only while nobody is waiting: a waiting run takes the same path anyway."""
        sys.stdin = io.StringIO("")
        sys.stdout, sys.stderr = self._out, self._err
        self._alarms.install()
        while True:
            self._wire.send({"type": "ready"})
            frame = self._wire.receive(_soon_seconds if rehearses else None)
            if frame is None and rehearses:
                self.rehearse()
            rehearses = False
            sys.modules["__main__"] = self._main
            while frame is None or frame.header.get("type") != "run":
                frame = self._wire.receive()
            self._take_run(frame)
            if not self._is_session:
                leave()

    def sleep(self, seconds: float) -> None:
        """For a world without its own clock."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._traffic.wait(lambda: False, max(seconds, 0.001))

    def _take_run(self, frame: Frame) -> None:
        header, job, limits = frame.header, json.loads(frame.body), frame.header["limits"]
        self._run = header["run"]
        self._is_session = header.get("isSession") is True
        self._is_over = False
        self._output_left = limits["outputBytes"]
        self._calls_left = self._host_calls_left = limits["calls"]
        self._budget.open(limits)
        self._failed.clear()
        self._made_up = MadeUpAnswers()
        self._memory.limit(limits["memoryMb"])
        repeatable.restart(header.get("seed"), job.get("times", ""), job.get("calls", 0))
        if self._loop.is_closed():
            self._loop = install_loop(self._traffic)
        asyncio.set_event_loop(self._loop)
        values = self._library.use(job["globals"], job["files"])
        self._world.give(self._main.__dict__, values, self._library.functions())
        self._alarms.start(limits["timeoutMs"] / 1000, limits.get("cpuMs", 0) / 1000)
        # In a session, definitions of an earlier run must not be mistaken for lines of this one.
        file_name = f"program {self._run}.py" if self._is_session else "program.py"
        try:
            self._execute(job["code"], file_name)
        except Stopped:
            pass
        except MemoryError as error:
            # Free what the program holds first: reporting the outcome takes memory too.
            traceback.clear_frames(error.__traceback__)
            self._memory.release_reserve()
            self._finish({"status": "stopped", "reason": "memory"})
        except SystemExit as error:
            self._take_exit(error)
        except BaseException as error:
            self._fail(error, file_name)

    def _execute(self, text: str, file_name: str) -> None:
        linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
        program = compile_program(text, file_name, self._library.is_plan)
        self._is_async = program.is_async
        value = start_program(program, self._main.__dict__)
        while inspect.isawaitable(value):
            value = self._loop.run_until_complete(value)
        value = await_within(value, self._loop.run_until_complete)
        try:
            body = b"" if value is None else to_json(value).encode("utf-8", "replace")
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(f"The returned value cannot be turned into JSON: {error}") from None
        self._flush()
        self._spend_output(len(body))
        self._files.flush()
        self._await_the_rest()
        self._flush()
        self._finish({"status": "completed", "hasValue": value is not None}, body)

    def _await_the_rest(self) -> None:
        """A run ends when nothing that it started is pending."""
        try:
            tasks = asyncio.all_tasks(self._loop)
            while tasks or self._pending:
                if tasks:
                    self._loop.run_until_complete(asyncio.wait(tasks))
                else:
                    self._traffic.wait(lambda: not self._pending)
                tasks = asyncio.all_tasks(self._loop)
        except Deadlock:
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon and not is_pooled(thread):
                thread.join()
        for call in self._failed:
            failure = unseen_failure(call)
            if failure is not None:
                self._log("error", failure)

    def _start_call(
        self, server: str, tool: str, values: Sequence[Any], is_raw: bool,
        convert: Optional[Convert] = None, on_progress: Optional[OnProgress] = None,
    ) -> Any:  # fmt: skip
        repeatable.refuse_calls()
        is_function = server == "" or server.startswith("\0")
        label = tool if is_function else f"{server}.{tool}"
        self._check()
        try:
            text = to_arguments(values, not server.startswith("\0"))
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(f"The arguments of {label} cannot be turned into JSON: {error}") from None
        # Requests to the host itself are not tool calls and have their own counter.
        if server.startswith("\0") and server != network_server:
            self._host_calls_left -= 1
        else:
            self._calls_left -= 1
        if min(self._calls_left, self._host_calls_left) < 0:
            self._stop("calls")
        call = Call(label, self._wait_for, convert, on_progress)
        number = next(self._ids)
        header = {"type": "call", "run": self._run, "call": number, "server": server, "tool": tool, "isRaw": is_raw}
        if on_progress is not None:
            header["wantsProgress"] = True
        # The host kills a process that exceeds its output limit, so report only the size.
        if len(text) > self._budget.max_arguments:
            header["argumentLength"] = len(text)
            text = ""
        body = text.encode("utf-8", "replace")
        if not self._budget.has_room(len(body)):
            self._traffic.wait(lambda: self._budget.has_room(len(body)))
        self._budget.take(number, len(body))
        self._pending[number] = call
        self._wire.send(repeatable.with_readings(self._made_up.with_used(header, values)), body)
        return call if self._is_async and not is_blocking_thread() else value_of(call)

    def _wait_for(self, call: Call) -> None:
        self._check()
        self._traffic.wait(lambda: is_answered(call))

    def _take(self, frame: Frame) -> None:
        """Handles a frame from the host while the program waits."""
        header = frame.header
        if header.get("run") != self._run:
            return
        if header.get("type") == "answer":
            self._budget.free(header.get("call"))
            call = self._pending.pop(header.get("call"), None)  # type: ignore[arg-type]
            if call is not None:
                self._made_up.take(header, call)
                settle_call(call, header, frame.body)
                if header.get("isAnswer") is not True:
                    self._failed.append(call)
        elif header.get("type") == "progress":
            repeatable.report_progress(self._pending.get(header.get("call")), frame.body)  # type: ignore[arg-type]
        elif header.get("type") == "extend":
            self._alarms.extend(header["milliseconds"] / 1000)
        elif header.get("type") == "stop":
            self._stop(str(header.get("reason")))

    def _check(self) -> None:
        if self._is_over:
            raise Stopped

    def _log(self, level: str, text: str) -> None:
        self._check()
        self._spend_output(len(text) + 1)
        self._wire.send({"type": "log", "run": self._run, "level": level}, text.encode("utf-8", "replace"))

    def _spend_output(self, size: int) -> None:
        self._output_left -= size
        if self._output_left < 0:
            self._stop("output")

    def _flush(self) -> None:
        self._out.flush_line()
        self._err.flush_line()

    def _is_late(self, reason: str) -> bool:
        if self._is_over:
            return True
        # Never use the wire in the middle of a frame; while the program waits, it hears the host itself.
        if self._traffic.is_waiting or self._wire.is_sending():
            return False
        self._stop(reason)

    def _stop(self, reason: str) -> NoReturn:
        self._finish({"status": "stopped", "reason": reason})
        raise Stopped

    def _take_exit(self, error: SystemExit) -> None:
        self._files.keep(lambda text: self._log("error", text))
        if error.code is None or error.code == 0:
            self._flush()
            self._finish({"status": "completed", "hasValue": False})
        else:
            self._finish({"status": "failed", "name": "SystemExit", "message": f"The program exited: {error.code}"})

    def _fail(self, error: BaseException, file_name: str) -> None:
        try:
            self._flush()
            self._files.keep(lambda text: self._log("error", text))
            self._finish({"status": "failed", **to_failure(error, file_name)})
        except Stopped:
            pass

    def _finish(self, outcome: dict[str, Any], body: bytes = b"") -> None:
        """Reports the outcome at once, even while the program works."""
        if self._is_over:
            return
        self._is_over = True
        self._alarms.end()
        has_pending = len(self._pending) > 0
        self._pending.clear()
        header = {"type": "done", "run": self._run, "memoryBytes": self._memory.used_bytes(), **outcome}
        self._wire.send(repeatable.with_readings(header), body)
        if not self._is_session:
            if has_pending:
                self._wire.linger()
            leave()
