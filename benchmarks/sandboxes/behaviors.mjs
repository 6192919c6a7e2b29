// What a sandbox must survive, and when its answer is right. README.md has the rules.

/** The limits of every attempt. */
export const limits = { timeoutMs: 1000, memoryMb: 128, outputBytes: 1024 * 1024 };
/** How long after its limit a run may be stopped. */
const graceMs = 1000;
const maxPingMs = 50;
const maxMemoryMb = 1024;
const maxAnswerBytes = 2 * limits.outputBytes;

/** Returns the first condition that is not met. */
const demand = (...rules) => rules.find(([isKept]) => !isKept)?.[1];
const isStopped = ({ status, ms }, timeoutMs = limits.timeoutMs) =>
  demand(
    [status === "failed", "was not stopped"],
    [ms <= timeoutMs + graceMs, `stopped after ${Math.round(ms)} ms`],
  );
const isStoppedInTime = (facts) =>
  isStopped(facts) ??
  demand([facts.ms >= limits.timeoutMs / 2, `stopped after ${Math.round(facts.ms)} ms already`]);
const heldTooMuch = ({ grownMb }) => demand([!(grownMb > maxMemoryMb), `held ${Math.round(grownMb)} MB`]);

const bombTimeoutMs = 10_000;
const bomb = (name, programs) => ({
  name,
  limits: { timeoutMs: bombTimeoutMs },
  programs,
  judge: (facts) => isStopped(facts, bombTimeoutMs) ?? heldTooMuch(facts),
});

const hostPath = /file:\/\/|\/benchmarks\/|\/node_modules\//;

/** Looks for the planted file in the known ways to escape. */
const readFileProgram = (file) => `
const found = async (read) => { try { return await read(); } catch { return undefined; } };
const files = (process) => process.getBuiltinModule("node:fs").readFileSync(${file}, "utf8");
const answer = await tools.echo({ value: 1 });
return [
  await found(async () => files(await process)),
  await found(async () => files(await globalThis.constructor.constructor("return process")())),
  await found(async () => files(await tools.echo.constructor("return process")())),
  await found(async () => files(await tools.constructor.constructor("return process")())),
  await found(async () => files(await answer.constructor.constructor("return process")())),
  await found(async () => (await import("node:fs")).readFileSync(${file}, "utf8")),
  await found(() => Deno.readTextFileSync(${file})),
].join();`;

/**
 * `judge` returns what was wrong, or nothing. The host must also survive every attempt, and the next run must work.
 * `isTimed`: load on the machine alone can make it fail.
 */
export const behaviors = [
  {
    name: "loop",
    programs: { typescript: "while (true) {}", python: "while True:\n    pass" },
    isTimed: true,
    judge: isStoppedInTime,
  },
  {
    name: "later loop",
    programs: {
      typescript: "await tools.echo({ value: 1 }); while (true) {}",
      python: "await tools.echo(value=1)\nwhile True:\n    pass",
    },
    isTimed: true,
    judge: isStoppedInTime,
  },
  {
    name: "ping",
    programs: {
      typescript: "await tools.echo({ value: 1 }); while (true) {}",
      python: "await tools.echo(value=1)\nwhile True:\n    pass",
    },
    isTimed: true,
    judge: ({ pingMs }) => demand([pingMs <= maxPingMs, `the host was busy for ${Math.round(pingMs)} ms`]),
  },
  bomb("list", {
    typescript:
      "const kept = []; for (let at = 0; at < 1500; at++) kept.push(new Array(131072).fill(at)); return kept.length;",
    python: "kept = []\nfor at in range(1500):\n    kept.append([at] * 131072)\nreturn len(kept)",
  }),
  bomb("array", {
    typescript: "const all = []; for (let at = 0; at < 5e7; at++) all.push(at); return all.length;",
    python: "return len([0] * 150_000_000)",
  }),
  bomb("buffers", {
    typescript:
      "const kept = []; for (let at = 0; at < 1500; at++) kept.push(new Uint8Array(1 << 20).fill(1)); return kept.length;",
    python:
      'kept = []\nfor at in range(1500):\n    kept.append(bytearray(b"x") * (1 << 20))\nreturn len(kept)',
  }),
  {
    name: "output",
    limits: { timeoutMs: bombTimeoutMs },
    programs: { typescript: 'return "x".repeat(50_000_000);', python: 'return "x" * 50_000_000' },
    judge: ({ valueBytes = 0 }) =>
      demand([valueBytes <= maxAnswerBytes, `${Math.round(valueBytes / 1e6)} MB reached the host`]),
  },
  {
    name: "throw",
    programs: { typescript: 'throw new Error("boom 42");', python: 'raise ValueError("boom 42")' },
    judge: ({ status, message = "" }) =>
      demand(
        [status === "failed", "was a success"],
        [message.includes("boom 42"), `reported as "${message}"`],
        [!hostPath.test(message), "reported with a path of the host"],
      ),
  },
  {
    name: "rejection",
    programs: {
      typescript: 'Promise.reject(new Error("boom 42")); await tools.echo({ value: 1 }); return 1;',
      python:
        'import asyncio\nasync def fails():\n    raise ValueError("boom 42")\nasyncio.ensure_future(fails())\nawait tools.echo(value=1)\nreturn 1',
    },
    judge: () => undefined,
  },
  {
    name: "tool",
    programs: {
      typescript:
        'try { await tools.fails({}); return "no exception"; } catch (error) { return String(error.message); }',
      python:
        'try:\n    await tools.fails()\n    return "no exception"\nexcept Exception as error:\n    return str(error)',
    },
    judge: ({ value = "", message }) =>
      demand(
        [message === undefined, `ended the program: ${message}`],
        [String(value).includes("issue 7 not found"), `the program heard "${value}"`],
        [!hostPath.test(value), "reported with a path of the host"],
      ),
  },
  {
    name: "overlap",
    programs: {
      typescript: "return (await Promise.all([tools.slow({ value: 1 }), tools.slow({ value: 2 })])).length;",
      python: "import asyncio\nreturn len(await asyncio.gather(tools.slow(value=1), tools.slow(value=2)))",
    },
    judge: ({ value, message, maxInFlight }) =>
      demand(
        [value === 2, `did not run: ${message ?? value}`],
        [maxInFlight === 2, "the second waits for the first"],
      ),
  },
  {
    name: "file",
    toPrograms: (file) => ({
      typescript: readFileProgram(JSON.stringify(file)),
      python: `try:\n    return open(${JSON.stringify(file)}).read()\nexcept Exception:\n    return ""`,
    }),
    judge: ({ value, message, hasSecret }) =>
      demand(
        [message === undefined && typeof value === "string", `did not run: ${message ?? value}`],
        [!hasSecret, "was read"],
      ),
  },
];
