// Installs other people's packages for benchmarks and acceptance tests only: pinned, without scripts, into a cache folder outside of the checkout.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNpm } from "./run-npm.mjs";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator-bench");
const toFolder = (packages) => join(cache, packages[0].replace(/\W+/g, "-").replace(/^-/, ""));
const toStamp = (packages) => `${packages.join(" ")} ${process.versions.node.split(".")[0]}\n`;

const isInstalled = (folder, stamp) => {
  const file = join(folder, ".installed");
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
};

/** Quiet when they are there. Throws with npm's last words when they cannot be had. */
export const installPackages = async (packages) => {
  const folder = toFolder(packages);
  const stamp = toStamp(packages);
  if (isInstalled(folder, stamp)) return;
  // Beside it, and moved when it is whole: others may be installing the same.
  const draft = `${folder}.${process.pid}.draft`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    // What is imported from here is found from here.
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

/** How they are reached. */
export const toPackageDoors = (packages = []) => ({
  load: async (name) => {
    const { load } = await import(pathToFileURL(join(toFolder(packages), "load.mjs")).href);
    return load(name);
  },
  findFile: (...path) => join(toFolder(packages), "node_modules", ...path),
});
