// `npm run eval`: tasks on published servers with a model of your choice, by direct calls and by programs; writes a report.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checkout, prepare } from "../../scripts/prepare.mjs";
import { evaluate, readResults } from "./evaluate.mjs";
import { modes } from "./run-task.mjs";
import { installServers, serverNames, toEntries } from "./servers.mjs";
import { tasks } from "./tasks/index.mjs";
import { writeReport } from "./write-report.mjs";

const { values, positionals } = parseArgs({
  options: {
    mode: { type: "string" },
    out: { type: "string" },
    budget: { type: "string", default: "2000000" },
    turns: { type: "string", default: "40" },
    scripted: { type: "boolean" },
    list: { type: "boolean" },
    verbose: { type: "boolean" },
  },
  allowPositionals: true,
});

const chooseTasks = () => {
  const unknown = positionals.filter((name) => !tasks.some((task) => task.name === name));
  if (unknown.length > 0) throw new Error(`There is no task "${unknown.join('", "')}"; --list shows all`);
  return positionals.length === 0 ? tasks : tasks.filter(({ name }) => positionals.includes(name));
};

const readModel = () => {
  if (values.scripted) return undefined;
  const { MCP_COORDINATOR_MODEL: model } = process.env;
  if (!model)
    throw new Error(
      "Set MCP_COORDINATOR_PROVIDER (openai, anthropic or ollama), MCP_COORDINATOR_MODEL and MCP_COORDINATOR_API_KEY; MCP_COORDINATOR_BASE_URL for another endpoint. Or use --scripted.",
    );
  // The other settings come from the environment too.
  return { model };
};

const readCount = (name) => {
  const count = Number(values[name]);
  if (!(count > 0)) throw new Error(`--${name} is "${values[name]}", expected a number above 0`);
  return count;
};

const main = async () => {
  const limits = { budget: { tokens: readCount("budget") }, maxTurns: readCount("turns") };
  const chosen = chooseTasks();
  if (values.list) {
    for (const { name, kind, servers } of chosen)
      console.log(`${name.padEnd(20)} ${kind.padEnd(16)} ${servers.join(", ")}`);
    return;
  }
  const model = readModel();
  if (values.mode !== undefined && !modes.includes(values.mode))
    throw new Error(`There is no mode "${values.mode}", expected ${modes.join(" or ")}`);
  await prepare();
  const say = (line) => console.error(line);
  say("installing the servers, if they are missing");
  await installServers();
  const library = await import(pathToFileURL(join(checkout, "dist", "bundle", "index.js")).href);
  const name = model?.model ?? "scripted";
  const folder = values.out ?? join(checkout, ".cache", "eval", name.replace(/[^\w.-]+/g, "-"));
  const failed = await evaluate(chosen, {
    ...{ folder, library, model, say, isScripted: model === undefined },
    modes: values.mode === undefined ? modes : [values.mode],
    toEntries: (world) => toEntries(world, serverNames),
    cacheFolder: join(folder, "cache"),
    ...limits,
    ...(values.verbose ? { onStep: (step) => say(JSON.stringify(step)) } : {}),
  });
  const results = readResults(folder);
  const page = writeReport(folder, results, { model: name, isScripted: model === undefined });
  say(`report: ${page}`);
  if (failed > 0 || (model === undefined && results.some(({ isSuccess }) => !isSuccess)))
    process.exitCode = 1;
};

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
