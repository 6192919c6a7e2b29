// `npm run pictures`: draws the demo from a real run, and the charts and tables from the stored results of the benchmarks.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makePictureFiles } from "./pictures/picture-files.mjs";
import { drawTerminal, toShownOutput } from "./pictures/terminal-picture.mjs";
import { checkout, prepare } from "./prepare.mjs";

/** The demo in a terminal of 80 columns, with its colors. Needs `script` (util-linux). */
const recordDemo = (node) => {
  const home = mkdtempSync(join(tmpdir(), "mcp-coordinator-pictures-"));
  const bin = join(checkout, "bin", "mcp-coordinator.mjs");
  try {
    const shell = `stty cols 80 rows 40 && "${node}" "${bin}" demo 2>/dev/null`;
    const env = { ...process.env, HOME: home, TERM: "xterm-256color", NO_COLOR: "" };
    return execFileSync("script", ["-qec", shell, "/dev/null"], { encoding: "utf8", env });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};

const node = await prepare();
const files = {
  "docs/pictures/run.svg": drawTerminal({
    command: "mcp-coordinator demo",
    output: toShownOutput(recordDemo(node)),
    title: "A run of the demo in a terminal",
    description:
      "The demo starts three MCP servers, shows the program that an agent writes, the calls that it makes, what goes to the model, and the tokens with and without mcp-coordinator.",
  }),
  ...makePictureFiles(checkout),
};
for (const [path, content] of Object.entries(files)) {
  const file = join(checkout, path);
  if (existsSync(file) && readFileSync(file, "utf8") === content) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}
