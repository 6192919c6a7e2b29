// A Python guest looks for files, network, environment, processes and the machine below the interpreter.
import { type Attempt, testAttempts } from "./support/attempts.js";

/** Runs a text and returns what went wrong, so that the next line of a list can be tried. */
const attempt = (name: string, code: string): Attempt => ({
  name,
  code: `try:\n${code
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")}\nexcept BaseException as error:\n    return "no: " + type(error).__name__`,
});

/** Reads the beginning of an answer from the wire, reports the run as ended itself, and leaves the rest of the answer unread. */
const endedByHand = (call: string): string => `import json, os, re, struct
answer = ${call}
for wire in (3, 4):
    try:
        run = int(re.search(rb'"run":(\\d+)', os.read(wire, 40))[1])
        done = json.dumps({"type": "done", "run": run, "status": "completed"}).encode()
        os.write(wire, struct.pack("<II", len(done), 0) + done)
        os._exit(0)
    except OSError:
        pass
await answer`;

await testAttempts("gives no access to the outside world", "python", [
  attempt("open() of a host file", 'return open("FILE").read()'),
  attempt("pathlib", 'import pathlib\nreturn pathlib.Path("FILE").read_text()'),
  attempt("os.open and os.read", 'import os\nreturn os.read(os.open("FILE", os.O_RDONLY), 100).decode()'),
  attempt("io.FileIO", 'import io\nreturn io.FileIO("FILE").read().decode()'),
  attempt("listing the host's folder", 'import os\nreturn os.listdir("FOLDER")'),
  attempt(
    "walking from the root",
    'import os\nreturn [name for name in os.listdir("/home") + os.listdir("/root")]',
  ),
  attempt("/proc/1/environ", 'return open("/proc/1/environ").read()'),
  attempt("/proc/self/environ", 'return open("/proc/self/environ").read()'),
  attempt("/proc of the parent", 'import os\nreturn open(f"/proc/{os.getppid()}/environ").read()'),
  attempt(
    "/proc/self/fd links",
    'import os\nreturn [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]',
  ),
  attempt("/proc/self/root", 'return open("/proc/self/root/FILE").read()'),
  attempt("/etc/shadow", 'return open("/etc/shadow").read()'),
  attempt("writing outside", 'open("/usr/escape", "w").write("x")\nreturn "wrote planted-5f1c9a"'),
  attempt(
    "writing beside the host file",
    'open("FOLDER/escape", "w").write("x")\nreturn "wrote planted-5f1c9a"',
  ),
  attempt(
    "a symbolic link to the host file",
    'import os\nos.symlink("FILE", "/tmp/link")\nreturn open("/tmp/link").read()',
  ),
  attempt(
    "a hard link to the host file",
    'import os\nos.link("FILE", "/tmp/hard")\nreturn open("/tmp/hard").read()',
  ),
  attempt("os.environ", "import os\nreturn dict(os.environ)"),
  attempt("os.getenv", 'import os\nreturn os.getenv("PLANTED_SECRET")'),
  attempt(
    "ctypes getenv",
    'import ctypes\nlibc = ctypes.CDLL(None)\nlibc.getenv.restype = ctypes.c_char_p\nreturn str(libc.getenv(b"PLANTED_SECRET"))',
  ),
  attempt(
    "ctypes open",
    'import ctypes\nlibc = ctypes.CDLL(None)\nfd = libc.open(b"FILE", 0)\nbuffer = ctypes.create_string_buffer(100)\nlibc.read(fd, buffer, 100)\nreturn buffer.value.decode()',
  ),
  attempt(
    "ctypes syscall openat",
    'import ctypes\nlibc = ctypes.CDLL(None)\nfd = libc.syscall(257, -100, b"FILE", 0)\nbuffer = ctypes.create_string_buffer(100)\nlibc.read(fd, buffer, 100)\nreturn buffer.value.decode()',
  ),
  attempt(
    "ctypes system",
    'import ctypes\nreturn ctypes.CDLL(None).system(b"cat FILE > /tmp/out") == 0 and open("/tmp/out").read()',
  ),
  attempt(
    "ctypes execve",
    'import ctypes\nctypes.CDLL(None).execl(b"/bin/cat", b"cat", b"FILE", None)\nreturn "went on"',
  ),
  attempt("subprocess", 'import subprocess\nreturn subprocess.check_output(["cat", "FILE"]).decode()'),
  attempt("os.system", 'import os\nreturn os.system("cat FILE > /tmp/o") == 0 and open("/tmp/o").read()'),
  attempt("os.popen", 'import os\nreturn os.popen("cat FILE").read()'),
  attempt("os.execv", 'import os\nos.execv("/bin/cat", ["cat", "FILE"])'),
  attempt("os.posix_spawn", 'import os\nreturn os.posix_spawn("/bin/cat", ["cat", "FILE"], {})'),
  attempt("os.fork", "import os\nreturn os.fork()"),
  attempt(
    "multiprocessing",
    'import multiprocessing\nprocess = multiprocessing.Process(target=print, args=(1,))\nprocess.start()\nreturn "started"',
  ),
  attempt(
    "urllib to loopback",
    'import urllib.request\nreturn urllib.request.urlopen("http://127.0.0.1:PORT/", timeout=1).read().decode()',
  ),
  attempt(
    "http.client to loopback",
    'import http.client\nconnection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=1)\nconnection.request("GET", "/")\nreturn connection.getresponse().read().decode()',
  ),
  attempt(
    "a TCP socket",
    'import socket\nreturn socket.create_connection(("127.0.0.1", PORT), timeout=1) and "connected planted-5f1c9a"',
  ),
  attempt(
    "a UDP socket",
    'import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))\nreturn "sent"',
  ),
  attempt(
    "a unix socket",
    'import socket\nmade = socket.socket(socket.AF_UNIX)\nmade.connect("/run/host.sock")\nreturn "connected planted-5f1c9a"',
  ),
  attempt("a raw socket", "import socket\nreturn str(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))"),
  attempt(
    "asyncio.open_connection",
    'import asyncio\nreader, writer = await asyncio.open_connection("127.0.0.1", PORT)\nreturn "connected planted-5f1c9a"',
  ),
  attempt("DNS", 'import socket\nreturn socket.gethostbyname("example.com")'),
  attempt(
    "a listener",
    'import socket\nmade = socket.socket()\nmade.bind(("127.0.0.1", 0))\nmade.listen()\nreturn "listening planted-5f1c9a"',
  ),
  attempt("kill of the parent", 'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nreturn "killed"'),
  attempt("kill of everything", 'import os, signal\nos.kill(-1, signal.SIGTERM)\nreturn "killed"'),
  attempt("ptrace", "import ctypes\nreturn ctypes.CDLL(None).ptrace(16, 1, 0, 0)"),
  attempt("process_vm_readv", "import ctypes\nreturn ctypes.CDLL(None).syscall(310, 1, 0, 0, 0, 0, 0)"),
  attempt(
    "mount",
    'import ctypes\nresult = ctypes.CDLL(None).mount(b"/", b"/tmp", b"", 4096, None)\nreturn "mounted planted-5f1c9a" if result == 0 else "denied"',
  ),
  attempt(
    "unshare of namespaces",
    'import ctypes\nresult = ctypes.CDLL(None).unshare(0x10000000)\nreturn "unshared planted-5f1c9a" if result == 0 else "denied"',
  ),
  attempt("setuid", 'import os\nos.setuid(0)\nreturn "uid " + str(os.getuid())'),
  attempt(
    "io_uring",
    'import ctypes\nresult = ctypes.CDLL(None).syscall(425, 8, 0)\nreturn "ring planted-5f1c9a" if result >= 0 else "denied"',
  ),
  attempt(
    "memfd and exec",
    'import os\nfd = os.memfd_create("x")\nos.write(fd, b"#!/bin/cat")\nos.execve(fd, ["x", "FILE"], {})',
  ),
  attempt(
    "subclasses walk to a file reader",
    'found = [cls for cls in ().__class__.__base__.__subclasses__() if cls.__name__ == "FileLoader"]\nreturn found[0]("x", "FILE").get_data("FILE").decode()',
  ),
  attempt(
    "frames to the guest's own globals",
    'import sys\nframe = sys._getframe()\nnames = []\nwhile frame:\n    names.append(str(frame.f_globals.get("PLANTED_SECRET")) + str(frame.f_locals.get("PLANTED_SECRET")))\n    frame = frame.f_back\nreturn names',
  ),
  attempt(
    "gc objects",
    'import gc\nreturn [item for item in gc.get_objects() if isinstance(item, str) and item.startswith("env-")]',
  ),
  attempt(
    "importing from a host path",
    'import sys\nsys.path.insert(0, "FOLDER")\nimport secret\nreturn secret',
  ),
  attempt("the guest's own wire, read by hand", "import os\nreturn [os.read(fd, 10) for fd in range(3, 5)]"),
  {
    name: "an answer that is read in part, its rest left for the next guest",
    code: endedByHand("tools.slow()"),
  },
  {
    name: "an answer of megabytes that is read in part",
    code: endedByHand("tools.echo(text='x' * 3_000_000)"),
  },
  {
    name: "forged frames on every descriptor",
    code: 'import os\nfor fd in range(0, 64):\n    try:\n        os.write(fd, b"\\xff" * 64)\n    except OSError:\n        pass\nreturn 1',
  },
  { name: "closing every descriptor", code: "import os\nos.closerange(0, 64)\nreturn 1" },
  { name: "os._exit", code: "import os\nos._exit(0)" },
  { name: "sys.exit", code: "import sys\nsys.exit(3)" },
  { name: "os.abort", code: "import os\nos.abort()", ends: "failed" },
  { name: "a segmentation fault", code: "import ctypes\nctypes.string_at(0)" },
]);
