# Imports the libraries once, then forks one guest for each connection of the host. Argument: its plan, as JSON.
# stdin: "kill ID" lines; exits at end of file. stdout: one JSON line when it accepts connections.
from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import select
import signal
import socket
import struct
import sys
import types
from typing import Any, NoReturn, Optional, Sequence

_packages = ("guest_world", "guest_wall")


class _OwnModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports our packages from the folder, under names that reveal no host path: programs see them in their tracebacks."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        # Nothing that remains leads to the folder.
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] in _packages:
                module.__loader__ = None
                if module.__spec__ is not None:
                    module.__spec__.loader = None

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname.split(".")[0] not in _packages:
            return None
        name = fullname.replace(".", "/")
        for file, is_package in ((f"{name}/__init__.py", True), (f"{name}.py", False)):
            if os.path.isfile(os.path.join(self._folder, file)):
                return importlib.util.spec_from_loader(fullname, self, origin=file, is_package=is_package)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        file = str(module.__spec__.origin) if module.__spec__ is not None else module.__name__
        with open(os.path.join(self._folder, file), "rb") as source:
            exec(compile(source.read(), file, "exec", dont_inherit=True), module.__dict__)


with _OwnModules(os.path.dirname(os.path.abspath(__file__))):
    from guest_wall import kernel
    from guest_wall.lock_down import WallPlan, connect_to_nothing, hide_mounts, lock_down, show_to_nobody
    from guest_world.channel import Channel
    from guest_world.limits import Memory
    from guest_world.preload import import_all, standard_library
    from guest_world.repeatable import seed_again
    from guest_world.serve import Guest

channel_descriptor = 3


class Zygote:
    def __init__(self, plan: dict[str, Any]) -> None:
        self._wall = WallPlan(
            kind=plan["kind"],
            readable=plan["readable"],
            hidden=plan["hidden"],
            temporary_folder=plan["temporaryFolder"],
            temporary_bytes=plan["temporaryBytes"],
            rules=plan["rules"],
        )
        self._guests: dict[int, int] = {}
        self._has_namespaces = self._wall.kind == "bubblewrap"
        self._own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY) if self._has_namespaces else -1
        self._wake_from, wake_to = os.pipe()
        os.set_blocking(wake_to, False)
        signal.set_wakeup_fd(wake_to)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self, listener: socket.socket) -> None:
        # Created once for all: a fork only has to connect it and put up the wall.
        self._guest = Guest(Channel(channel_descriptor, channel_descriptor), Memory())
        self._guest.rehearse()
        self._prepare_mounts()
        # Never collect existing objects: a collection in a guest would copy every page of them.
        gc.collect()
        gc.freeze()
        poll = select.poll()
        for descriptor in (0, listener.fileno(), self._wake_from):
            poll.register(descriptor, select.POLLIN)
        unread = b""
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == listener.fileno():
                    self._open(listener)
                elif descriptor == self._wake_from:
                    os.read(self._wake_from, 4096)
                    self._reap()
                else:
                    chunk = os.read(0, 65536)
                    if not chunk:
                        return
                    *lines, unread = (unread + chunk).split(b"\n")
                    for line in lines:
                        self._kill(int(line.split()[1]))

    def inspect(self) -> None:
        """Puts up the wall once, in a fork, and reports what stands."""
        self._prepare_mounts()
        read_from, write_to = os.pipe()
        process = self._fork()
        if process == 0:
            answer: dict[str, Any]
            try:
                answer = {"walls": lock_down(self._wall)}
            except BaseException as error:
                answer = {"reason": str(error)}
            os.write(write_to, json.dumps(answer).encode())
            os._exit(0)
        os.waitpid(process, 0)
        os.set_blocking(read_from, False)
        say(os.read(read_from, 65536).decode())

    def _prepare_mounts(self) -> None:
        if self._has_namespaces:
            hide_mounts(self._wall)
        elif self._wall.kind == "self":
            show_to_nobody(self._wall.readable)

    def _open(self, listener: socket.socket) -> None:
        connection, _ = listener.accept()
        # The host first sends the guest's id, so that it can refer to it later.
        number = struct.unpack("<I", connection.recv(4, socket.MSG_WAITALL))[0]
        process = self._fork()
        if process == 0:
            self._become_guest(connection)
        connection.close()
        self._guests[process] = number

    def _fork(self) -> int:
        """The child is the first process of its own namespace."""
        if self._has_namespaces:
            kernel.unshare(kernel.CLONE_NEWPID)
        process = os.fork()
        if process != 0 and self._has_namespaces:
            kernel.setns(self._own_processes, kernel.CLONE_NEWPID)
        return process

    def _become_guest(self, connection: socket.socket) -> NoReturn:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(connection.detach(), channel_descriptor)
            connect_to_nothing(0, 1, 2)
            os.closerange(channel_descriptor + 1, 1024)
            lock_down(self._wall)
            seed_again()
            self._guest.serve(rehearses=True)
        finally:
            os._exit(1)

    def _kill(self, number: int) -> None:
        for process, known in self._guests.items():
            if known == number:
                os.kill(process, signal.SIGKILL)

    def _reap(self) -> None:
        while self._guests:
            process = os.waitpid(-1, os.WNOHANG)[0]
            if process == 0:
                return
            self._guests.pop(process, None)


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> None:
    plan = json.loads(sys.argv[1])
    zygote = Zygote(plan)
    if plan["socket"] is None:
        zygote.inspect()
        return
    import_all(standard_library)
    libraries = import_all(plan["preload"])
    os.environ.clear()
    sys.argv = [""]
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(plan["socket"])
    listener.listen(64)
    say(json.dumps({"libraries": libraries}))
    zygote.serve(listener)


main()
