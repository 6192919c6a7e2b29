# The first process in a container for Python: imports the libraries once, then forks one guest after the other, each for one run.
# Arguments: "probe" and the files to read; or, as JSON, the libraries to import in advance and the rules of its second
# wall, then a name for the host. Frames use descriptor GUEST_WIRE, or stdin and stdout.
from __future__ import annotations

import gc
import hashlib
import json
import os
import secrets
import shutil
import signal
import sys
from typing import Any, NoReturn, Optional

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)

from guest_wall import kernel  # noqa: E402
from guest_wall.lock_down import Rules, connect_to_nothing  # noqa: E402
from guest_world.channel import Channel  # noqa: E402
from guest_world.limits import Memory  # noqa: E402
from guest_world.preload import import_all, standard_library  # noqa: E402
from guest_world.repeatable import seed_again  # noqa: E402
from guest_world.serve import Guest  # noqa: E402

sys.path.remove(folder)

scratch = "/tmp"


class AnnouncedChannel(Channel):
    """
    Its first frame carries a proof that it comes from us and not from the previous guest, and a hash of
    the next proof. The host answers with that hash: anything before it on the wire was left unread by the previous guest.
    """

    announcement: Optional[dict[str, str]] = None

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        announcement, self.announcement = self.announcement, None
        if announcement is None:
            super().send(header, body)
        else:
            super().send({**header, **announcement}, body)
            self.skip_past(announcement["nextProofHash"].encode())


class Standby:
    """A guest that is forked and locked down, and waits for its turn without touching the wire."""

    def __init__(self, guest: Guest, channel: AnnouncedChannel, rules: dict[str, Any]) -> None:
        turn_from, self._turn_to = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._turn_to)
            _become_guest(guest, channel, rules, turn_from)
        os.close(turn_from)

    def run(self, announcement: dict[str, str]) -> int:
        """Lets it take a run; returns its process id."""
        os.write(self._turn_to, json.dumps(announcement).encode())
        os.close(self._turn_to)
        return self._process


class Supervisor:
    """Outlives the guests, which can neither read nor signal it."""

    def __init__(self, wire: tuple[int, int], rules: dict[str, Any]) -> None:
        self._secret = ""
        self._rules = rules
        # A guest that cannot start or signal a process cannot harm its successor: that one may be prepared meanwhile.
        self._can_prepare = can_put_up_second_wall(rules)
        # Created once for all: a fork only has to put up its wall.
        self._channel = AnnouncedChannel(*wire)
        self._guest = Guest(self._channel, Memory())
        self._guest.rehearse()
        # Never collect existing objects: a collection in a guest would copy every page of them.
        gc.collect()
        gc.freeze()

    def serve(self) -> NoReturn:
        guest = self._prepare()
        while True:
            # Created after the fork: the guest's memory never holds the secret that will prove its end.
            proof, self._secret = self._secret, secrets.token_hex(16)
            next_proof_hash = hashlib.sha256(self._secret.encode()).hexdigest()
            process = guest.run({"proof": proof, "nextProofHash": next_proof_hash})
            successor = self._prepare() if self._can_prepare else None
            self._await(process)
            if successor is None:
                end_all_others()
            empty_scratch()
            guest = successor or self._prepare()

    def _prepare(self) -> Standby:
        return Standby(self._guest, self._channel, self._rules)

    def _await(self, process: int) -> None:
        while True:
            ended, status = os.wait()
            if ended == process and status == 0:
                return
            # A guest may leave processes behind, unless it cannot start any: then its successor has ended.
            if ended == process or self._can_prepare:
                leave_after(status)


def _become_guest(guest: Guest, channel: AnnouncedChannel, rules: dict[str, Any], turn_from: int) -> NoReturn:
    try:
        connect_to_nothing(0, 1, 2)
        os.chdir(scratch)
        put_up_second_wall(rules)
        seed_again()
        guest.rehearse()
        turn = os.read(turn_from, 4096)
        if not turn:
            os._exit(0)
        os.close(turn_from)
        channel.announcement = json.loads(turn)
        guest.serve()
    finally:
        os._exit(1)


def put_up_second_wall(given: dict[str, Any]) -> bool:
    """The container is the wall; the process additionally drops what the kernel lets it drop."""
    try:
        rules = Rules(given)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        if rules.landlock_version() > 0:
            rules.apply_landlock(["/usr", "/lib", "/lib64", "/coordinator", *sys.path], [scratch])
        rules.apply_filter()
        return True
    except OSError:
        # A machine without rules, or a kernel that refuses.
        return False


def can_put_up_second_wall(rules: dict[str, Any]) -> bool:
    """Tried in a fork: it cannot be undone."""
    process = os.fork()
    if process == 0:
        os._exit(0 if put_up_second_wall(rules) else 1)
    return os.waitpid(process, 0)[1] == 0


def end_all_others() -> None:
    """Processes that a guest left behind must not meet the next one."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass


def empty_scratch() -> None:
    for entry in os.scandir(scratch):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def leave_after(status: int) -> NoReturn:
    """The host detects a crash by our exit. Only the kernel kills a guest in here, and only for its memory."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        os.write(2, b"The kernel killed the guest: out of memory\n")
    os._exit(1)


def take_wire() -> tuple[int, int]:
    own = os.environ.get("GUEST_WIRE")
    if own is not None:
        return int(own), int(own)
    read_from, write_to = os.dup(0), os.dup(1)
    connect_to_nothing(0, 1)
    return read_from, write_to


def probe(paths: list[str]) -> None:
    """Prints what the kernel says about the walls of an image without Node, as JSON. Unreadable files are left out."""
    facts = {}
    for path in paths:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                facts[path] = file.read()
        except OSError:
            pass
    print(json.dumps({"languages": ["python"], "facts": facts}))


def main() -> None:
    if sys.argv[1] == "probe":
        probe(sys.argv[2:])
        return
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    wire = take_wire()
    # One thread: a fork keeps no others, and the limit on processes counts them.
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    plan = json.loads(sys.argv[1])
    import_all([*standard_library, *plan["libraries"]])
    for name in list(os.environ):
        if name not in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
            del os.environ[name]
    sys.argv = [""]
    Supervisor(wire, plan["rules"]).serve()


main()
