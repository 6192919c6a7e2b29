// Runs inside.mjs for one measurement and watches it: what it reports, how it ends, how much memory it and its children use.
import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inside = fileURLToPath(new URL("../inside.mjs", import.meta.url));
const lookEveryMs = 50;
const pageBytes = 4096;

/** Resident memory of a process and its descendants, or undefined if it cannot be read. */
const readTreeMegabytes = (root) => {
  try {
    const parents = new Map();
    const sizes = new Map();
    for (const entry of readdirSync("/proc")) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        const fields = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").at(-1).split(" ");
        parents.set(Number(entry), Number(fields[1]));
        sizes.set(Number(entry), Number(fields[21]) * pageBytes);
      } catch {
        // The process has ended.
      }
    }
    const isUnder = (id) => id !== undefined && (id === root || isUnder(parents.get(id)));
    const total = [...sizes].reduce((sum, [id, size]) => (isUnder(id) ? sum + size : sum), 0);
    return total / 1024 / 1024;
  } catch {
    return undefined;
  }
};

/** The line of an error among the many that Node prints. */
const toLastWords = (text) => {
  const lines = text.trim().split("\n");
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
};

/** Resolves to everything it reported, merged, and how it ended: "finished", "died" with its signal or code, or "hung". */
export const runInside = ({ name, language, flags = [] }, work, deadlineMs) =>
  new Promise((resolve) => {
    // In its own process group, so that leftover children end with it.
    const child = fork(inside, [name, language, work], {
      execArgv: flags,
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let facts = {};
    let words = "";
    let startMb;
    let maxMb = 0;
    let isHung = false;
    child.stderr.on("data", (text) => {
      words = (words + text).slice(-2000);
    });
    child.on("message", (message) => {
      facts = { ...facts, ...message };
      if (message.isRunning) startMb = readTreeMegabytes(child.pid);
    });
    const watch = setInterval(() => {
      if (startMb !== undefined) maxMb = Math.max(maxMb, readTreeMegabytes(child.pid) ?? 0);
    }, lookEveryMs);
    const clock = setTimeout(() => {
      isHung = true;
      child.kill("SIGKILL");
    }, deadlineMs);
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      clearTimeout(clock);
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // The process group has already ended.
      }
      const ending = isHung ? "hung" : facts.isFinished ? "finished" : `died (${signal ?? `code ${code}`})`;
      const grownMb = startMb === undefined ? undefined : Math.max(0, maxMb - startMb);
      resolve({ ...facts, ending, grownMb, lastWords: toLastWords(words) });
    });
  });
