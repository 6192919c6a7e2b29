// Tries one behavior on one engine in a separate process: runs the program, pings meanwhile, reports what happened.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pingEveryMs = 5;
const slowMs = 200;
const shownCharacters = 200;
const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/** The longest time between two turns of the host's event loop. */
const startPings = () => {
  let longest = 0;
  let last = performance.now();
  const take = () => {
    longest = Math.max(longest, performance.now() - last - pingEveryMs);
    last = performance.now();
  };
  const timer = setInterval(take, pingEveryMs);
  return () => {
    clearInterval(timer);
    take();
    return longest;
  };
};

const openTools = () => {
  const facts = { maxInFlight: 0 };
  let inFlight = 0;
  const tools = {
    echo: async (input) => input,
    fails: async () => {
      throw new Error("issue 7 not found");
    },
    slow: async (input) => {
      facts.maxInFlight = Math.max(facts.maxInFlight, ++inFlight);
      await rest(slowMs);
      inFlight--;
      return input;
    },
  };
  return { tools, facts };
};

export const attempt = async (sandbox, { programs, toPrograms }, language, report) => {
  const folder = mkdtempSync(join(tmpdir(), "coordinator-bench-"));
  const file = join(folder, "secret");
  const secret = randomUUID();
  writeFileSync(file, secret);
  const { tools, facts } = openTools();
  const one = language === "typescript" ? "return 1;" : "return 1";
  const program = (toPrograms?.(file) ?? programs)[language];
  try {
    if ((await sandbox.run(one, tools)) !== 1) throw new Error("does not run at all");
    report({ isRunning: true });
    const stopPings = startPings();
    const from = performance.now();
    const ended = await sandbox.run(program, tools).then(
      (value) => ({
        status: "completed",
        value: typeof value === "string" ? value.slice(0, shownCharacters) : value,
        valueBytes: JSON.stringify(value)?.length,
        hasSecret: typeof value === "string" && value.includes(secret),
      }),
      (error) => ({ status: "failed", message: String(error?.message ?? error).slice(0, shownCharacters) }),
    );
    const ms = performance.now() - from;
    const pingMs = stopPings();
    // An unhandled rejection may still end the host.
    await rest(50);
    const isUsable = await sandbox.run(one, tools).then(
      (value) => value === 1,
      () => false,
    );
    report({ ...ended, ...facts, ms, pingMs, isUsable });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
