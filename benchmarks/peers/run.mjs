// `npm run bench -- peers [NAME...]`: other systems and ours, side by side, on the same programs and the same upstream servers.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { installPackages } from "../../scripts/install-packages.mjs";
import { checkout } from "../../scripts/prepare.mjs";
import { median } from "../support/statistics.mjs";
import { peers } from "./adapters.mjs";
import { measureBehavior, measureSpeed, readShown } from "./measure.mjs";
import { packagesOf, versionOf } from "./packages.mjs";

const resultsFile = fileURLToPath(new URL("./results.json", import.meta.url));
const shared = join(checkout, "..", "shared");

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    /** Writes results.json, which docs/comparison.md and its chart are made from. */
    save: { type: "boolean" },
    only: { type: "string", default: "speed,behavior,context" },
  },
  allowPositionals: true,
});

/** The peers that can be installed here. */
const installAll = async () => {
  const installed = [];
  for (const peer of peers) {
    if (positionals.length > 0 && !positionals.some((word) => peer.name.includes(word))) continue;
    try {
      if (peer.group !== undefined) {
        await installPackages(packagesOf.direct);
        await installPackages(packagesOf[peer.group]);
      }
      installed.push(peer);
    } catch (error) {
      console.log(`skipped: ${peer.name}: ${error.message}`);
    }
  }
  return installed;
};

/** 60 recorded servers, if they are beside the checkout. */
const readRecorded = (node) => {
  const [corpus, replayer] = [join(shared, "corpus", "servers"), join(shared, "tools", "replay-server.mjs")];
  if (!existsSync(corpus) || !existsSync(replayer)) return undefined;
  const files = readdirSync(corpus)
    .filter((name) => name.endsWith(".json"))
    .sort();
  const chosen = files.filter((_, at) => at % 3 === 0).slice(0, 60);
  const toName = (file) =>
    file
      .replace(".json", "")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .toLowerCase();
  return {
    servers: Object.fromEntries(
      chosen.map((file) => [toName(file), { command: node, args: [replayer, join(corpus, file)] }]),
    ),
    tools: chosen.flatMap((file) => JSON.parse(readFileSync(join(corpus, file), "utf8")).tools),
  };
};

const count = (value) => countTokens(typeof value === "string" ? value : JSON.stringify(value));

const round = (value) => (typeof value === "number" ? Number(value.toPrecision(3)) : value);

/** The median of every figure over the rounds. */
const summarize = (rounds) => {
  const names = [...new Set(rounds.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(
    names.map((name) => {
      const all = rounds.flatMap((one) => one[name] ?? []);
      return [
        name,
        typeof all[0] === "number" ? round(median(all)) : rounds.find((one) => name in one)[name],
      ];
    }),
  );
};

/** The figures of each system by its name. A system that fails is reported and left out. */
const measureEach = async (chosen, what, measure) => {
  const figures = {};
  for (const peer of chosen)
    try {
      figures[peer.name] = await measure(peer);
      console.log(`${what}, ${peer.name}: ${JSON.stringify(figures[peer.name])}`);
    } catch (error) {
      console.log(`${what}, ${peer.name} failed: ${error.message.slice(0, 200)}`);
    }
  return figures;
};

const today = () => new Date().toISOString().slice(0, 10);

const parts = {
  /** The systems take turns in each round, so that other load on the machine falls on all of them. */
  speed: async (chosen, context) => {
    const rounds = [];
    const loads = [];
    for (let at = 1; at <= Number(values.rounds); at++) {
      rounds.push(await measureEach(chosen, `round ${at}`, (peer) => measureSpeed(peer, context)));
      loads.push(loadavg()[0]);
    }
    const toFigures = ({ name }) => [name, summarize(rounds.flatMap((one) => one[name] ?? []))];
    const load = `load average ${round(Math.min(...loads))} to ${round(Math.max(...loads))}`;
    return {
      date: today(),
      conditions: `two shared cores, Node ${process.versions.node}, ${values.rounds} rounds, ${load}`,
      figures: Object.fromEntries(chosen.map(toFigures)),
    };
  },
  behavior: async (chosen, context) => {
    const programming = chosen.filter(({ direct }) => direct === undefined);
    return {
      date: today(),
      conditions: `load average ${round(loadavg()[0])}`,
      figures: await measureEach(programming, "behavior", (peer) => measureBehavior(peer, context)),
    };
  },
  context: async (chosen, context) => {
    const recorded = readRecorded(context.node);
    if (recorded === undefined) {
      console.log("skipped: context: the recorded servers are not beside this checkout");
      return undefined;
    }
    const measure = async (peer) => {
      const { instructions, tools } = await readShown(peer, context, recorded.servers);
      return { tokens: count(instructions) + count(tools) };
    };
    const shown = chosen.filter(({ kind }) => kind !== "baseline");
    return {
      date: today(),
      servers: Object.keys(recorded.servers).length,
      tools: recorded.tools.length,
      tokens: count(recorded.tools),
      figures: await measureEach(shown, "context", measure),
    };
  },
};

const toSystem = ({ name, kind, engine, group, isOurs }) => ({
  name,
  version: isOurs ? undefined : versionOf(group),
  kind,
  engine,
  isOurs,
});

const main = async () => {
  const chosen = await installAll();
  const work = mkdtempSync(join(tmpdir(), "mcp-coordinator-peers-"));
  const context = { node: process.execPath, work, seconds: Number(values.seconds) };
  try {
    const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {};
    for (const name of values.only.split(",")) {
      const measured = await parts[name](chosen, context);
      if (measured !== undefined) results[name] = measured;
    }
    const stored = { ...results, systems: chosen.map(toSystem) };
    if (values.save) writeFileSync(resultsFile, `${JSON.stringify(stored, undefined, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  }
};

await main();
