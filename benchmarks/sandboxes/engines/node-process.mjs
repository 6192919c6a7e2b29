// A fresh `node` process for each run, with Node's own permission model.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { spawnWorld } from "../support/line-world.mjs";
import { openBare } from "../support/open-bare.mjs";

const guest = fileURLToPath(new URL("../guests/lines.mjs", import.meta.url));
const source = readFileSync(new URL("../guests/bare-world.js", import.meta.url), "utf8");
const [major, minor] = process.versions.node.split(".").map(Number);
const permission = major === 22 && minor < 13 ? "--experimental-permission" : "--permission";

export const nodeProcess = {
  name: `node ${permission}`,
  language: "typescript",
  open: async ({ limits }) =>
    openBare(
      async () =>
        spawnWorld(process.execPath, [
          "--no-warnings",
          permission,
          `--allow-fs-read=${guest}`,
          `--max-old-space-size=${limits.memoryMb}`,
          guest,
          source,
        ]),
      limits,
    ),
};
