// One task in one mode: a fresh world, the servers, a model in a loop, and a check of the result.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectTools } from "./direct-tools.mjs";
import { openScriptedEndpoint } from "./scripted-endpoint.mjs";
import { openWorld, prepareWorld } from "./world.mjs";

export const modes = ["direct", "code"];

const instructions =
  "Solve the user's task with the tools. When it is done, answer in plain text with the result only. If it cannot be done, say why.";

/** The recorded answers of a task: its program, or its calls turn by turn; then what they returned, unless an answer is recorded. */
const toSteps = ({ solution, direct }, mode, folder) => {
  const fill = (value) => JSON.parse(JSON.stringify(value).replaceAll("FOLDER", folder));
  const turns = mode === "code" ? [[["run_code", { code: solution }]]] : direct;
  const steps = fill(turns).map((turn) =>
    typeof turn === "string"
      ? { text: turn }
      : { calls: turn.map(([name, given]) => ({ name, arguments: given })) },
  );
  return [...steps, (results) => ({ text: results.join("\n") || "done" })];
};

export const canPlay = ({ solution, direct }, mode) => (mode === "code" ? solution : direct) !== undefined;

/**
 * `library` is the built package, `toEntries(folder)` the servers on a world. `model` are the settings of the model; without it, the recorded
 * answers are played.
 */
export const runTask = async (
  task,
  mode,
  { library, toEntries, model, cacheFolder, budget, maxTurns, onStep },
) => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "eval-"));
  const folder = join(home, "world");
  mkdirSync(folder);
  const endings = [];
  try {
    const world = openWorld(folder);
    prepareWorld(world);
    await task.prepare(world);
    const prompt = task.prompt.replaceAll("FOLDER", folder);
    const early = await task.check(world, "");
    if (early === undefined) throw new Error(`The task "${task.name}" is solved before it has begun`);
    let used = model;
    if (used === undefined) {
      const endpoint = await openScriptedEndpoint(() => toSteps(task, mode, folder));
      endings.push(endpoint.close);
      used = { provider: "ollama", model: "scripted", baseUrl: endpoint.baseUrl };
    }
    const entries = toEntries(folder);
    const coordinator = await library.openCoordinator({
      config: { mcpServers: mode === "code" ? entries : {} },
      settings: { model: used, cacheFolder, stateFolder: join(home, "state") },
      workingFolder: folder,
    });
    endings.push(coordinator.close);
    const direct = mode === "direct" ? await openDirectTools(entries) : undefined;
    if (direct !== undefined) endings.push(direct.close);
    const startedAt = performance.now();
    const result = await coordinator.ask({
      ...{ task: prompt, budget, maxTurns, onStep },
      ...(direct === undefined ? {} : { tools: direct.tools, instructions }),
    });
    const { code } = result.error ?? {};
    // It may be back later. One that refuses a conversation, because it is too long, would refuse it again.
    if (code === "MODEL_UNREACHABLE" || code === "MODEL_ANSWER_INVALID")
      throw new Error(result.error.message);
    const reason = result.error?.message ?? (await task.check(world, result.answer));
    const { search_tools: searches = 0, run_code: programs = 0 } = result.calls;
    return {
      ...{ task: task.name, kind: task.kind, mode, model: result.model, version: library.version },
      isSuccess: reason === undefined,
      reason: reason ?? null,
      answer: result.answer.slice(0, 2000),
      turns: result.turns,
      ...{ searches, programs, calls: Object.values(result.calls).reduce((sum, count) => sum + count, 0) },
      inputTokens: result.usage.inputTokens,
      outputTokens: result.usage.outputTokens,
      cost: result.cost ?? null,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    for (const end of endings.reverse()) await end();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};
