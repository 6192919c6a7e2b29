# Runs one program without protection. A message is two lines: a JSON array and a JSON text.
# As a script: over stdin and stdout. With a socket's path and libraries: imports them, then forks for each connection.
import asyncio
import gc
import importlib
import itertools
import json
import os
import signal
import socket
import sys
import textwrap


class World:
    def __init__(self, read_from, write_to):
        self.read_from, self._write_to = read_from, write_to
        self._held = bytearray()
        self._lines = 0
        self._waiting = {}
        self._ids = itertools.count(1)

    def __getattr__(self, tool):
        return lambda **values: self._call(tool, values)

    def send(self, head, body):
        view = memoryview(f"{json.dumps(head)}\n{json.dumps(body)}\n".encode())
        while view:
            view = view[os.write(self._write_to, view) :]

    def _call(self, tool, values):
        number = next(self._ids)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send(["call", number, tool], values)
        return self._waiting[number]

    def read(self):
        """The next message; the host's end is our end."""
        # Counted as it arrives, so that a large answer is not searched again for each chunk.
        while self._lines < 2:
            chunk = os.read(self.read_from, 1 << 20)
            if not chunk:
                os._exit(0)
            self._held += chunk
            self._lines += chunk.count(b"\n")
        head, body, rest = self._held.split(b"\n", 2)
        self._held = rest
        self._lines -= 2
        return json.loads(head), json.loads(body)

    def take(self):
        (_kind, number, is_answer), body = self.read()
        future = self._waiting.pop(number)
        if is_answer:
            future.set_result(body)
        else:
            future.set_exception(RuntimeError(body))
        if self._lines >= 2:
            self.take()


async def run(world, program):
    asyncio.get_running_loop().add_reader(world.read_from, world.take)
    names = {"tools": world}
    exec("async def program():\n" + textwrap.indent(program, "    "), names)
    return await names["program"]()


def serve(world):
    _head, program = world.read()
    try:
        world.send(["done"], asyncio.run(run(world, program)))
    except BaseException as error:
        world.send(["failed"], str(error))
    os._exit(0)


def fork_for_each(path, libraries):
    for library in libraries:
        importlib.import_module(library)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # Like ours: a garbage collection in a fork would copy every imported page.
    gc.collect()
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(64)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            serve(World(connection.fileno(), connection.fileno()))
        connection.close()


if len(sys.argv) > 1:
    fork_for_each(sys.argv[1], sys.argv[2:])
else:
    serve(World(0, 1))
