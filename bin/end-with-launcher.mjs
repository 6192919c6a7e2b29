// A thread of the host that ends it together with its launcher, even while the host's own event loop is busy.
import { Socket } from "node:net";
import { workerData } from "node:worker_threads";

/** Long enough to end servers in order; a host whose loop is busy never gets that far. */
const graceMs = 2000;

// The launcher holds the other end of this pipe and never writes: its end is the launcher's end.
const pipe = new Socket({ fd: workerData.descriptor, readable: true, writable: false });
pipe.on("error", () => {});
pipe.on("close", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), graceMs);
});
pipe.resume();
