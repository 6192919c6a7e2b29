// Runs npm with a given Node: npm omits optional packages that do not fit the Node it runs on.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runQuietly } from "./run-process.mjs";

const findNpm = () => {
  const folder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
};

/** Resolves to npm's exit code and output. */
export const runNpm = (node, words, folder) => {
  const npm = findNpm();
  if (npm !== undefined) return runQuietly(node, [npm, ...words], { cwd: folder });
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  return runQuietly("npm", words, { cwd: folder, env, shell: process.platform === "win32" });
};
