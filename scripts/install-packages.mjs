// Installs third-party packages for benchmarks and acceptance tests: pinned, without install scripts, into a cache folder outside the checkout.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNpm } from "./run-process.mjs";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator-bench");
const toFolder = (packages) => join(cache, packages[0].replace(/\W+/g, "-").replace(/^-/, ""));
const toStamp = (packages) => `${packages.join(" ")} ${process.versions.node.split(".")[0]}\n`;

const isInstalled = (folder, stamp) => {
  const file = join(folder, ".installed");
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
};

/** Does nothing if they are installed. Throws with npm's output if they cannot be installed. */
export const installPackages = async (packages) => {
  const folder = toFolder(packages);
  const stamp = toStamp(packages);
  if (isInstalled(folder, stamp)) return;
  // Installed next to it and moved when complete: another process may be installing the same.
  const draft = `${folder}.${process.pid}.draft`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    // Resolves imports from this folder.
    writeFileSync(join(draft, "load.mjs"), "export const load = (name) => import(name);\n");
    const words = ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
    const { code, output } = await runNpm(
      process.execPath,
      [...words, "--loglevel=error", ...packages],
      draft,
    );
    if (code !== 0)
      throw new Error(output.trim().split("\n").slice(0, 2).join("; ") || `npm ended with ${code}`);
    writeFileSync(join(draft, ".installed"), stamp);
    if (isInstalled(folder, stamp)) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

/** Imports them, and finds their files. */
export const toPackageDoors = (packages = []) => ({
  load: async (name) => {
    const { load } = await import(pathToFileURL(join(toFolder(packages), "load.mjs")).href);
    return load(name);
  },
  findFile: (...path) => join(toFolder(packages), "node_modules", ...path),
});
