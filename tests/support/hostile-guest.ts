// A hostile sandbox process: it reports that it is ready, then does what a script says, as an escaped guest could.
import { fileURLToPath } from "node:url";
import { spawnChannel } from "../../src/executors/host/guest-channel.js";
import { GuestProcess } from "../../src/executors/host/guest-process.js";

const frames = fileURLToPath(new URL("../../src/executors/host/frames.mjs", import.meta.url));

/** The script has `send(header, body)`, `encodeFrame` and `write(bytes)`; it runs when the first frame of the host arrives. */
export const openHostileGuest = (script: string): GuestProcess =>
  new GuestProcess(
    spawnChannel({
      command: process.execPath,
      args: [
        "--input-type=module",
        "-e",
        `import { encodeFrame } from ${JSON.stringify(frames)}; const write = (bytes) => process.stdout.write(bytes); const send = (header, body) => write(encodeFrame(header, body)); send({ type: "ready" }); process.stdin.once("data", async () => { ${script} });`,
      ],
    }),
  );
