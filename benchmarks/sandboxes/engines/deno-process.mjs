// A fresh Deno process for each run, with no permission but to read its own guest.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { spawnWorld } from "../support/line-world.mjs";
import { openBare } from "../support/open-bare.mjs";

const guest = fileURLToPath(new URL("../guests/lines.mjs", import.meta.url));
const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");

export const denoProcess = {
  name: "deno, no permissions",
  language: "typescript",
  packages: ["deno@2.9.6"],
  open: async ({ limits, findFile }) => {
    const platform = `${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;
    const command = findFile("@deno", platform, "deno");
    const flags = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];
    const memory = `--v8-flags=--max-old-space-size=${limits.memoryMb}`;
    return openBare(async () => spawnWorld(command, [...flags, memory, guest, source]), limits);
  },
};
