// Starts a program for the scripts: quietly with its output kept, or openly on this terminal.
import { spawn } from "node:child_process";

/** Ends with the exit code; the child writes straight to this terminal. */
export const runOpenly = (command, words, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: "inherit", ...options });
    // Ctrl-C reaches the child by itself: this process only waits for it.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGINT", ignore);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });

/** Ends with the exit code and everything that was printed. */
export const runQuietly = (command, words, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }));
  });
