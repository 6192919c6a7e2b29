// Fuzzes one target: mutated seeds go to a host process, which must survive, stay responsive and never fail with INTERNAL.
import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRandom, mutate } from "./mutate.mjs";

/** How long one input may block the event loop. */
const maxBlockedMs = 100;
/** After this long without an answer, the host hangs, even on a very slow machine. */
const hangMs = 30_000;

const hostFile = fileURLToPath(new URL("./host.mjs", import.meta.url));
const corpusFolder = fileURLToPath(new URL("./corpus", import.meta.url));

export const targetNames = readdirSync(fileURLToPath(new URL("./targets", import.meta.url)))
  .filter((name) => name.endsWith(".mjs"))
  .map((name) => name.slice(0, -".mjs".length))
  .sort();

const readSeeds = (/** @type {string} */ target) =>
  readFileSync(`${corpusFolder}/${target}.txt`, "utf8")
    .split("\n=====\n")
    .map((seed) => seed.replace(/\n$/, ""));

const readDictionary = (/** @type {readonly string[]} */ seeds) => [
  ...new Set(seeds.flatMap((seed) => seed.match(/\w{2,30}/g) ?? [])),
];

/**
 * What the host process reports: that it is ready, how it handled an input, or that it has ended.
 * @typedef {{ ready?: true; died?: string; fault?: string; blockedMs?: number; account?: string }} Report
 */

const openHost = async (/** @type {string} */ target) => {
  const child = fork(hostFile, [target], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let lastWords = "";
  /** @type {(report: Report) => void} */
  let settle = () => {};
  child.stderr?.on("data", (text) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  child.on("message", (message) => settle(/** @type {Report} */ (message)));
  child.on("exit", (code, signal) => settle({ died: `${signal ?? `exit code ${code}`}\n${lastWords}` }));
  /** @returns {Promise<Report>} */
  const wait = () =>
    new Promise((resolve) => {
      const late = setTimeout(() => resolve({ died: `no answer within ${hangMs} ms` }), hangMs);
      settle = (message) => {
        clearTimeout(late);
        resolve(message);
      };
    });
  const first = await wait();
  if (first.ready !== true) throw new Error(`Cannot start the target "${target}": ${first.died}`);
  return {
    take: (/** @type {string} */ input) => {
      const answer = wait();
      child.send({ input });
      return answer;
    },
    close: () => child.kill("SIGKILL"),
  };
};

/**
 * @param {{ target: string; seed: number; count?: number; milliseconds?: number }} options
 * @returns {Promise<{ inputs: number; findings: readonly { problem: string; input: string }[] }>}
 */
export const fuzzTarget = async ({ target, seed, count = Number.POSITIVE_INFINITY, milliseconds }) => {
  const seeds = readSeeds(target);
  const dictionary = readDictionary(seeds);
  const random = createRandom(seed);
  const endsAt = performance.now() + (milliseconds ?? Number.POSITIVE_INFINITY);
  /** @type {{ problem: string; input: string }[]} */
  const findings = [];
  let host = await openHost(target);

  /** What is wrong with the host's answer to an input. */
  const judge = async (/** @type {string} */ input) => {
    const { died, fault, blockedMs = 0, account } = await host.take(input);
    if (died !== undefined) {
      host.close();
      host = await openHost(target);
      return `the host died: ${died}`;
    }
    if (fault !== undefined) return `the host failed: ${fault}`;
    return blockedMs > maxBlockedMs ? `the host was blocked: ${account}` : undefined;
  };

  try {
    let inputs = 0;
    while (inputs < count && performance.now() < endsAt && findings.length < 5) {
      const input = seeds[inputs] ?? mutate(seeds, dictionary, random);
      inputs++;
      let problem = await judge(input);
      // First use and garbage collection block, too. Only what blocks every time is caused by the input.
      for (let again = 0; again < 2 && problem?.includes("was blocked"); again++)
        problem = await judge(input);
      if (problem !== undefined) findings.push({ problem, input });
    }
    return { inputs, findings };
  } finally {
    host.close();
  }
};
