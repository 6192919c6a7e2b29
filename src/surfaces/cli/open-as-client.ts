// Opens the coordinator exactly as a client's entry starts it, so that a command shows what that client runs.
import { CoordinatorError } from "../../contracts/index.js";
import { type ClientEntry, type Coordinator, describeInstallation } from "../../coordinator/index.js";
import { type CommandContext, type CommandOption, sharedOptions } from "./command.js";
import { parseLoosely } from "./parse-words.js";
import { readText, usage } from "./read-words.js";
import { shortenHome, toPlainText } from "./render/plain-text.js";

/** For commands that show what one client runs. */
export const clientOption: CommandOption = {
  type: "string",
  value: "CLIENT",
  summary: "Exactly what this client starts in this folder",
};

export interface OpenedAsClient {
  readonly coordinator: Coordinator;
  /** Why the client cannot start it. */
  readonly problems: readonly CoordinatorError[];
}

const findProblems = ({ name, path, command, isFound }: ClientEntry): readonly CoordinatorError[] =>
  isFound
    ? []
    : [
        new CoordinatorError(
          "CONFIG_INVALID",
          `Cannot start the entry "${name}" of "${path}": there is no command "${command}" on this machine`,
          { hint: `${describeInstallation()}.` },
        ),
      ];

/** The coordinator of `--client`, otherwise that of the other options. */
export const openAsClient = async (context: CommandContext): Promise<OpenedAsClient> => {
  const { screen, open, options, findCommand } = context;
  const client = readText(options, "client");
  if (client === undefined) return { coordinator: await open(), problems: [] };
  const given = ["config", "project"].find((name) => options.texts[name] !== undefined);
  if (given !== undefined)
    throw usage(
      'use "--client"',
      `"--${given}" is given too, but the client's entry names its own`,
      "servers",
    );
  const { readClientEntries } = await import("../../coordinator/index.js");
  const { title, entries, others } = await readClientEntries({ client });
  const [entry, ...more] = entries;
  if (entry === undefined)
    throw new CoordinatorError(
      "CONFIG_NONE",
      `Cannot show what ${title} runs: it does not start mcp-coordinator`,
      {
        hint: `Run "mcp-coordinator init --client ${client}" to take over its servers, or "mcp-coordinator connect ${client} --write" to add the entry.`,
      },
    );
  const { texts, facts } = parseLoosely(entry.words, {
    ...sharedOptions,
    ...(await findCommand("serve")).options,
  });
  if (!screen.isJson) {
    screen.note(
      `${title} starts mcp-coordinator with the entry "${toPlainText(entry.name)}" of ${shortenHome(entry.path)}`,
    );
    for (const { name, path } of more)
      screen.note(`It also starts another one with "${toPlainText(name)}" of ${shortenHome(path)}`);
    if (others.length > 0)
      screen.note(
        `It starts these itself, so programs cannot use them: ${others.map(({ server }) => toPlainText(server)).join(", ")}`,
      );
  }
  const [workspace] = texts.workspace ?? [];
  const coordinator = await open({
    config: texts.config,
    project: texts.project?.[0],
    workingFolder: texts.folder?.[0] ?? entry.cwd,
    environment: { ...process.env, ...entry.env },
    trustsNamed: !facts.has("require-trust"),
    settings: workspace === undefined ? undefined : { workspace },
  });
  return { coordinator, problems: findProblems(entry) };
};
