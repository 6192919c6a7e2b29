// Every command by its name; a command's file is loaded when it is used.
import { CoordinatorError } from "../../contracts/index.js";
import type { Command } from "./command.js";

const commandTable: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./commands/serve.js")).serve,
  run: async () => (await import("./commands/run.js")).run,
  resume: async () => (await import("./commands/resume.js")).resume,
  runs: async () => (await import("./commands/runs.js")).runs,
  commit: async () => (await import("./commands/commit.js")).commit,
  replay: async () => (await import("./commands/replay.js")).replay,
  check: async () => (await import("./commands/check.js")).check,
  call: async () => (await import("./commands/call.js")).call,
  servers: async () => (await import("./commands/servers.js")).servers,
  tools: async () => (await import("./commands/tools.js")).tools,
  show: async () => (await import("./commands/show.js")).show,
  search: async () => (await import("./commands/search.js")).search,
  skills: async () => (await import("./commands/skills.js")).skills,
  generate: async () => (await import("./commands/generate.js")).generate,
  resources: async () => (await import("./commands/resources.js")).resources,
  prompts: async () => (await import("./commands/prompts.js")).prompts,
  kept: async () => (await import("./commands/kept.js")).kept,
  stats: async () => (await import("./commands/stats.js")).stats,
  workspaces: async () => (await import("./commands/workspaces.js")).workspaces,
  workspace: async () => (await import("./commands/workspace.js")).workspace,
  init: async () => (await import("./commands/init.js")).init,
  eject: async () => (await import("./commands/eject.js")).eject,
  connect: async () => (await import("./commands/connect.js")).connect,
  trust: async () => (await import("./commands/trust.js")).trust,
  callers: async () => (await import("./commands/callers.js")).callers,
  doctor: async () => (await import("./commands/doctor.js")).doctor,
  setup: async () => (await import("./commands/setup.js")).setup,
  demo: async () => (await import("./commands/demo.js")).demo,
  version: async () => (await import("./commands/version.js")).version,
  help: async () => (await import("./commands/help.js")).help,
};

/** The commands in the order of the table. */
export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(commandTable).map((load) => load()));

/** The command of that name; a slip of the hand is answered with the nearest one. */
export const findCommand = async (name: string): Promise<Command> => {
  const load = Object.hasOwn(commandTable, name) ? commandTable[name] : undefined;
  if (load !== undefined) return load();
  const { nearestWord } = await import("./nearest-word.js");
  const near = nearestWord(name, Object.keys(commandTable));
  throw new CoordinatorError("USAGE", `Cannot run "${name}": there is no such command`, {
    hint: near === undefined ? 'Run "mcp-coordinator help" to see every command.' : `Did you mean "${near}"?`,
  });
};
