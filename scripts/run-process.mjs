// Starts a program or npm for the scripts: captures its output, or lets it write to this terminal.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** Resolves to the exit code. The child writes directly to this terminal. */
export const runOpenly = (command, words, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: "inherit", ...options });
    // Ctrl-C also reaches the child; this process only waits for it.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGINT", ignore);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });

/** Resolves to the exit code and all output. */
export const runQuietly = (command, words, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }));
  });

const findNpm = () => {
  const folder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
};

/** Resolves to npm's exit code and output. npm omits optional packages that do not fit the Node it runs on. */
export const runNpm = (node, words, folder) => {
  const npm = findNpm();
  // Under `npm install -g` these would make npm work on the global packages instead of on the folder.
  const { npm_config_global: _, npm_config_location: __, ...own } = process.env;
  if (npm !== undefined) return runQuietly(node, [npm, ...words], { cwd: folder, env: own });
  const env = { ...own, PATH: `${dirname(node)}${delimiter}${own.PATH ?? ""}` };
  return runQuietly("npm", words, { cwd: folder, env, shell: process.platform === "win32" });
};
