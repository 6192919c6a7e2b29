// Installs the dependencies if they are missing or differ from package-lock.json.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm, runQuietly } from "./run-process.mjs";

const stampOf = async (folder, node) => {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const version =
    node === process.execPath ? process.version : (await runQuietly(node, ["--version"])).output;
  // Includes the major version: npm selects the prebuilt sandbox engine for the Node it runs on.
  return `${lock} ${version.trim().split(".")[0]}\n`;
};

const readStamp = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** Prints nothing if there is nothing to do. npm's output is shown only if it fails. */
export const ensureDependencies = async (folder, node, say) => {
  const file = join(folder, "node_modules", ".installed");
  const stamp = await stampOf(folder, node);
  if (readStamp(file) === stamp) return;
  say("Installing the dependencies");
  const words = ["ci", "--ignore-scripts", "--include=dev", "--include=optional"];
  const { code, output } = await runNpm(
    node,
    [...words, "--no-audit", "--no-fund", "--loglevel=error"],
    folder,
  );
  if (code !== 0) throw new Error(`Cannot install the dependencies:\n${output.trim()}`);
  writeFileSync(file, stamp);
};
