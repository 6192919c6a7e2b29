// What a hostile Python program can reach behind each wall: nothing of the machine, of other runs, or of its host.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { runPython } from "./python-run.js";

const secret = "planted-secret-4711";
const folder = mkdtempSync(join(tmpdir(), "mcp-secret-"));
const secretFile = join(folder, "secret_module.py");
let port = 0;
let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.end(secret);
});

beforeAll(async () => {
  writeFileSync(secretFile, `text = "${secret}"\n`);
  process.env.PLANTED_SECRET = secret;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  delete process.env.PLANTED_SECRET;
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Programs that must fail with one of these errors; FILE and PORT stand for the planted ones. */
const refused: readonly (readonly [title: string, code: string])[] = [
  ["reads a file", "open('FILE').read()"],
  ["reads the list of users", "open('/etc/passwd').read()"],
  [
    "imports from a folder of the machine",
    "import sys\nsys.path.insert(0, 'FOLDER')\nimport secret_module\nsecret_module.text",
  ],
  [
    "reads a file through ctypes",
    "import ctypes\nlibc = ctypes.CDLL(None)\nfd = libc.open(b'FILE', 0)\nassert fd >= 0\nb = ctypes.create_string_buffer(100)\nlibc.read(fd, b, 100)\nb.value",
  ],
  [
    "reads a file through a link",
    "import os, tempfile\nos.symlink('FILE', tempfile.gettempdir() + '/link')\nopen(tempfile.gettempdir() + '/link').read()",
  ],
  ["lists the root", "import os\nos.listdir('/')"],
  ["lists the processes", "import os\nos.listdir('/proc')"],
  ["reads its own environment from the kernel", "open('/proc/self/environ', 'rb').read()"],
  ["reads its parent's command line", "import os\nopen(f'/proc/{os.getppid()}/cmdline').read()"],
  ["writes beside its libraries", "import json\nopen(json.__file__ + '.x', 'w')"],
  ["writes to the root", "open('/planted', 'w')"],
  ["connects to the host", "import socket\nsocket.create_connection(('127.0.0.1', PORT)).recv(100).decode()"],
  [
    "requests a URL",
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:PORT/').read().decode()",
  ],
  ["opens a local socket", "import socket\nsocket.socket(socket.AF_UNIX)"],
  ["resolves a host name", "import socket\nsocket.getaddrinfo('localhost', 80)"],
  ["starts a program", "import subprocess, sys\nsubprocess.run([sys.executable, '-c', '1'])"],
  ["becomes a program", "import os, sys\nos.execv(sys.executable, ['python'])"],
  ["forks", "import os\nos.fork()"],
  [
    "starts a process through multiprocessing",
    "import multiprocessing\nmultiprocessing.Process(target=print).start()",
  ],
  ["signals every process", "import os\nos.kill(-1, 9)"],
  ["signals its parent", "import os\nos.kill(os.getppid() or 2, 9)"],
  ["raises its memory limit", "import resource\nresource.setrlimit(resource.RLIMIT_DATA, (-1, -1))"],
  ["becomes root", "import os\nos.setuid(0)"],
  ["sets the clock", "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)"],
  ["uses memory that no limit counts", "import mmap\nlen(mmap.mmap(-1, 1 << 30))"],
  ["creates a named pipe", "import os, tempfile\nos.mkfifo(tempfile.gettempdir() + '/pipe')"],
  [
    "fills the disk",
    "import tempfile\nwith open(tempfile.gettempdir() + '/big', 'wb') as f:\n    for _ in range(200): f.write(b'x' * 1_000_000)",
  ],
];

/** System calls by number, x86-64: ptrace, mount, unshare, setns, io_uring, bpf, process_vm_readv, memfd_create and more. */
const rawCalls = `
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
calls = {"ptrace": (101, 16, 1, 0, 0), "mount": (165, 0, 0, 0, 0, 0), "unshare": (272, 0x10000000), "setns": (308, 3, 0),
  "io_uring_setup": (425, 1, 0), "bpf": (321, 0, 0, 0), "process_vm_readv": (310, 1, 0, 0, 0, 0, 0), "memfd_create": (319, b"x", 0),
  "socket": (41, 2, 1, 0), "fork": (57,), "vfork": (58,), "execve": (59, b"/bin/sh", 0, 0), "execveat": (322, -100, b"/bin/sh", 0, 0, 0),
  "clone": (56, 17, 0, 0, 0, 0), "clone3": (435, 0, 0), "shmget": (29, 0, 4096, 0o1600), "add_key": (248, 0, 0, 0, 0, 0),
  "kill": (62, 2, 9), "pidfd_open": (434, 1, 0), "pidfd_getfd": (438, 3, 0, 0), "pivot_root": (155, 0, 0), "chroot": (161, b"/"),
  "setuid": (105, 0), "prctl": (157, 38, 0, 0, 0, 0), "userfaultfd": (323, 0), "perf_event_open": (298, 0, 0, 0, 0, 0),
  "init_module": (175, 0, 0, 0), "reboot": (169, 0, 0, 0, 0), "open_by_handle_at": (304, -1, 0, 0), "connect": (42, 3, 0, 0)}
open_ = []
for name, (number, *values) in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(number, *values)
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): open_.append(name)
open_`;

for (const wall of ["bubblewrap", "self"] as const) {
  const executor = openPythonExecutor({ limits: defaultLimits, wall, preload: [] });
  afterAll(() => executor.close());
  const { isAvailable, reason, walls, gaps } = await executor.inspect();

  describe.skipIf(!isAvailable)(`python behind ${wall}${isAvailable ? "" : ` (skipped: ${reason})`}`, () => {
    const run = (code: string, limits = {}): ReturnType<typeof runPython> =>
      runPython({
        executor,
        limits,
        code: code
          .replaceAll("FILE", secretFile)
          .replaceAll("FOLDER", folder)
          .replaceAll("PORT", String(port)),
      });

    // Only bubblewrap gives a guest its own file system; the report names this gap of the other wall.
    const ifMounted = (title: string, test: () => Promise<void>): void => {
      if (wall === "bubblewrap") it(title, test);
    };

    it("reports the active walls", () => {
      expect(walls).toEqual(expect.arrayContaining(["seccomp", "no capabilities", "empty environment"]));
      if (wall === "self") expect(gaps.join()).toContain("are visible");
    });

    it.each(refused)("fails a program that %s", async (_title, code) => {
      const { outcome } = await run(code);

      expect(outcome.status).toBe("failed");
      expect(JSON.stringify(outcome)).not.toContain(secret);
      expect(connections).toBe(0);
    });

    it.skipIf(process.arch !== "x64")(
      "refuses system calls that could leave the sandbox (x86-64 only: their numbers)",
      async () => {
        expect((await run(rawCalls)).value).toEqual([]);
      },
    );

    it("gives a program no environment, no privileges and no user name", async () => {
      const { value } = await run(
        "import os\n[dict(os.environ), os.getuid() == 0, os.getgid() == 0, os.getgroups()]",
      );

      expect(value).toEqual([{}, false, false, []]);
    });

    ifMounted("hides what exists, and shows only itself", async () => {
      const { value } = await run(
        "import os\n[os.path.exists('FILE'), os.path.exists('/proc/self'), os.getpid(), os.uname().nodename]",
      );

      expect(value).toEqual([false, false, 1, "sandbox"]);
    });

    it("lets a program catch the error if one large allocation fails", async () => {
      expect((await run("x = bytearray(1 << 30)", { memoryMb: 64 })).outcome).toMatchObject({
        reason: "memory",
      });
      expect(
        (
          await run("try:\n    x = bytearray(1 << 30)\nexcept MemoryError:\n    x = 'caught'\nx", {
            memoryMb: 64,
          })
        ).value,
      ).toBe("caught");
    });

    it("limits the number of threads of a program", async () => {
      const { value } = await run(
        "import threading, time\nn = 0\ntry:\n    for _ in range(5000):\n        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()\n        n += 1\nexcept RuntimeError: pass\nn",
      );

      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(70);
    });

    it.each([
      ["a wild pointer", "import ctypes\nctypes.string_at(0)"],
      ["abort()", "import os\nos.abort()"],
      ["noise on its channel", "import os, time\nos.write(3, b'\\xff' * 100)\ntime.sleep(5)"],
      ["a closed channel", "import os\nos.close(3)"],
    ])("reports a program that ends by %s, and runs the next one", async (_title, code) => {
      expect((await run(code)).outcome).toMatchObject({
        status: "failed",
        failure: { code: "SANDBOX_CRASHED" },
      });
      expect((await run("1")).value).toBe(1);
    });

    it("stops a program that catches everything at its time limit", async () => {
      const stubborn =
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass";

      expect((await run(stubborn, { timeoutMs: 300 })).outcome).toMatchObject({ reason: "timeout" });
    });

    it("stops a session's endless loop and keeps the session", async () => {
      const session = "kept";
      await runPython({ executor, session, code: "x = 1" });
      const spun = await runPython({
        executor,
        session,
        code: "while True: pass",
        limits: { timeoutMs: 300 },
      });

      expect(spun.outcome).toMatchObject({ reason: "timeout" });
      expect((await runPython({ executor, session, code: "x" })).value).toBe(1);
      await executor.resetSession(session);
    });

    it("gives each run its own random numbers", async () => {
      const [first, second] = await Promise.all([
        run("import random\nrandom.random()"),
        run("import random\nrandom.random()"),
      ]);

      expect(first.value).not.toEqual(second.value);
    });

    ifMounted("gives each run its own temporary files", async () => {
      expect((await run("open('/tmp/left', 'w').write('x')\nopen('/tmp/left').read()")).value).toBe("x");
      expect((await run("import os\nos.listdir('/tmp')")).value).toEqual([]);
    });
  });
}
