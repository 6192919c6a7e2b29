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
  // Under `npm install -g` these would make npm work on the global packages instead of on the folder.
  const { npm_config_global: _, npm_config_location: __, ...own } = process.env;
  if (npm !== undefined) return runQuietly(node, [npm, ...words], { cwd: folder, env: own });
  const env = { ...own, PATH: `${dirname(node)}${delimiter}${own.PATH ?? ""}` };
  return runQuietly("npm", words, { cwd: folder, env, shell: process.platform === "win32" });
};
