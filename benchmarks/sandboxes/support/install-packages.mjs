// Installs an engine's packages for the benchmark only: pinned, without scripts, into a cache folder outside of the checkout.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNpm } from "../../../scripts/run-npm.mjs";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator-bench");
const toFolder = (packages) => join(cache, packages[0].replace(/\W+/g, "-").replace(/^-/, ""));
const toStamp = (packages) => `${packages.join(" ")} ${process.versions.node.split(".")[0]}\n`;

/** Quiet when they are there. Throws with npm's last words when they cannot be had. */
export const installPackages = async (packages) => {
  const folder = toFolder(packages);
  const file = join(folder, ".installed");
  if (existsSync(file) && readFileSync(file, "utf8") === toStamp(packages)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // What is imported from here is found from here.
  writeFileSync(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  const words = ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  const { code, output } = await runNpm(
    process.execPath,
    [...words, "--loglevel=error", ...packages],
    folder,
  );
  if (code !== 0)
    throw new Error(output.trim().split("\n").slice(0, 2).join("; ") || `npm ended with ${code}`);
  writeFileSync(file, toStamp(packages));
};

/** How an engine reaches its packages. */
export const toPackageDoors = (packages = []) => ({
  load: async (name) => {
    const { load } = await import(pathToFileURL(join(toFolder(packages), "load.mjs")).href);
    return load(name);
  },
  findFile: (...path) => join(toFolder(packages), "node_modules", ...path),
});
