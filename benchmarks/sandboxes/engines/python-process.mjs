// A fresh `python3 -I` process for each run, without protection: the baseline of a start.
import { fileURLToPath } from "node:url";
import { findPython } from "../support/find-python.mjs";
import { spawnWorld } from "../support/line-world.mjs";
import { openBare } from "../support/open-bare.mjs";

const guest = fileURLToPath(new URL("../guests/lines.py", import.meta.url));

export const pythonProcess = {
  name: "python3 -I, unprotected",
  language: "python",
  open: async ({ limits }) => {
    const { executable } = await findPython();
    return openBare(async () => spawnWorld(executable, ["-I", guest]), limits);
  },
};
