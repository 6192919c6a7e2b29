// Starts a program for the scripts: captures its output, or lets it write to this terminal.
import { spawn } from "node:child_process";

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
