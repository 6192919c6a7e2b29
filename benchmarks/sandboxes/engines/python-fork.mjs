// A fork of a plain process with pandas imported, without protection: the baseline of our own Python.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython } from "../support/find-python.mjs";
import { toWorld } from "../support/line-world.mjs";
import { openBare } from "../support/open-bare.mjs";

const guest = fileURLToPath(new URL("../guests/lines.py", import.meta.url));

export const pythonFork = {
  name: "fork of python3 + pandas, unprotected",
  language: "python",
  open: async ({ limits }) => {
    const { executable, libraries } = await findPython();
    const preload = ["numpy", "pandas"].filter((name) => libraries.includes(name));
    const folder = mkdtempSync(join(tmpdir(), "coordinator-bench-"));
    const path = join(folder, "socket");
    const zygote = spawn(executable, ["-I", guest, path, ...preload], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => zygote.stdout.once("data", resolve));
    const engine = openBare(async () => {
      const socket = connect(path);
      return toWorld({ input: socket, output: socket, kill: () => socket.destroy() });
    }, limits);
    const close = async () => {
      await engine.close();
      zygote.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    };
    return { ...engine, close };
  },
};
