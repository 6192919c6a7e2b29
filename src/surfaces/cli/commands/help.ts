// `help` and `version`: the start screen, all commands, the help of one, and what this package runs on.
import { readFileSync } from "node:fs";
import {
  type Command,
  type CommandEntry,
  type CommandGroup,
  type CommandOption,
  exitCodeHelp,
  type KnownCommand,
  sharedOptions,
} from "../command.js";
import { pad, widthOf, wrap } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const describe = ({ name, summary, usage, options }: KnownCommand) => ({ name, summary, usage, options });

export const help: Command = {
  name: "help",
  usage: ["help [COMMAND]"],
  examples: [["mcp-coordinator help run", "The help of one command"]],
  options: {},
  run: async ({ screen, words: [name], groups, findCommand }) => {
    if (name === undefined) {
      const describeEntry = async (entry: CommandEntry) => describe(await findCommand(entry.name));
      if (screen.isJson) {
        const commands = await Promise.all(groups.flatMap((group) => group.commands).map(describeEntry));
        screen.document({ commands, sharedOptions });
      } else for (const line of renderGeneralHelp(screen, groups)) screen.print(line);
      return 0;
    }
    const command = await findCommand(name);
    if (screen.isJson) screen.document(describe(command));
    else for (const line of renderCommandHelp(screen, command)) screen.print(line);
    return 0;
  },
};

const readVersion = (): string => {
  const file = new URL("../../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};

export const version: Command = {
  name: "version",
  usage: ["version"],
  examples: [["mcp-coordinator version --json", "For a bug report"]],
  options: {},
  run: async ({ screen }) => {
    const facts = {
      version: readVersion(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
    if (screen.isJson) screen.document(facts);
    else screen.print(`mcp-coordinator ${facts.version} (Node ${facts.node}, ${facts.platform})`);
    return 0;
  },
};

type Rows = readonly (readonly [left: string, right: string])[];

const indent = "  ";
/** A narrower column of prose goes below instead of next to its term. */
const minProseColumns = 24;

const renderRows = (rows: Rows, columns: number): readonly string[] => {
  const width = Math.max(...rows.map(([left]) => widthOf(left)));
  if (columns - width - 4 < minProseColumns)
    return rows.flatMap(([left, right]) => [
      `${indent}${left}`.trimEnd(),
      ...wrap(right, columns - 6).map((line) => `      ${line}`),
    ]);
  return rows.flatMap(([left, right]) =>
    wrap(right, columns - width - 4).map((line, index) =>
      `${indent}${pad(index === 0 ? left : "", width)}${indent}${line}`.trimEnd(),
    ),
  );
};

const optionRow = ([name, option]: readonly [string, CommandOption]): readonly [string, string] => {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return [`${short}--${name}${option.value === undefined ? "" : ` ${option.value}`}`, option.summary];
};

const optionRows = (options: Readonly<Record<string, CommandOption>>): Rows =>
  Object.entries(options).map(optionRow);

const exampleLines = (examples: Command["examples"]): readonly string[] =>
  examples.flatMap(([line, meaning]) => [`${indent}# ${meaning}`, `${indent}${line}`]);

const section = (screen: Screen, title: string, lines: readonly string[]): readonly string[] => [
  "",
  screen.style("bold", title),
  ...lines,
];

const purpose =
  "mcp-coordinator lets AI agents use your MCP servers by writing code: servers become libraries, programs run in a sandbox, only their output reaches the model.";

const firstSteps = ["demo", "init", "doctor", "servers", "search", "run", "serve"];

/** The start screen: the first few commands. */
export const renderFirstHelp = (screen: Screen, groups: readonly CommandGroup[]): readonly string[] => {
  const commands = groups.flatMap((group) => group.commands);
  const rows = firstSteps.flatMap((name) => commands.filter((command) => command.name === name));
  return [
    ...wrap(purpose, screen.columns),
    ...section(
      screen,
      "Start with",
      renderRows(
        rows.map(({ name, summary }) => [`mcp-coordinator ${name}`, summary]),
        screen.columns,
      ),
    ),
    "",
    ...wrap('"mcp-coordinator help" shows every command, "help COMMAND" one of them.', screen.columns),
  ];
};

/** The help of all commands. */
const renderGeneralHelp = (screen: Screen, groups: readonly CommandGroup[]): readonly string[] => {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => widthOf(name))));
  return [
    ...wrap(purpose, screen.columns),
    ...section(screen, "Usage", [`${indent}mcp-coordinator COMMAND [options]`]),
    ...groups.flatMap(({ title, commands }) =>
      section(
        screen,
        title,
        renderRows(
          commands.map(({ name, summary }) => [pad(name, width), summary]),
          screen.columns,
        ),
      ),
    ),
    ...section(screen, "Options of every command", renderRows(optionRows(sharedOptions), screen.columns)),
    ...section(
      screen,
      "Examples",
      exampleLines([
        ["mcp-coordinator demo", "See it work, with real servers and nothing to set up"],
        ["mcp-coordinator tools --config mcp.json", "What the servers of a configuration offer"],
        ["mcp-coordinator run -e 'return 6 * 7'", "Run a program in the sandbox"],
        ["mcp-coordinator help run", "The help of one command"],
      ]),
    ),
    ...section(screen, "Exit codes", renderRows(exitCodeHelp, screen.columns)),
  ];
};

/** The help of one command. */
export const renderCommandHelp = (screen: Screen, command: KnownCommand): readonly string[] => [
  ...wrap(command.summary, screen.columns),
  ...section(
    screen,
    "Usage",
    command.usage.map((usage) => `${indent}mcp-coordinator ${usage}`),
  ),
  ...(command.description === undefined ? [] : ["", ...wrap(command.description, screen.columns)]),
  ...section(
    screen,
    "Options",
    renderRows(optionRows({ ...command.options, ...sharedOptions }), screen.columns),
  ),
  ...section(screen, "Examples", exampleLines(command.examples)),
];
