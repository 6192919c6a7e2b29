// The command interface (help texts, options, action, exit codes), and the parsing of a command line into a command, words and options.
import { parseArgs } from "node:util";
import { CoordinatorError, type ErrorCode, type ErrorKind } from "../../contracts/index.js";
import type { Coordinator, OpenOptions } from "../../coordinator/index.js";
import type { Screen } from "./screen.js";

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly short?: string | undefined;
  readonly multiple?: boolean | undefined;
  /** The placeholder for the value in help, e.g. PATH. */
  readonly value?: string | undefined;
  /** The value may be omitted; it is then "". */
  readonly isValueOptional?: true | undefined;
  /** The only accepted values. */
  readonly choices?: readonly string[] | undefined;
  readonly summary: string;
}

/** The given options: a string option as a list in order, a boolean option as a member of `facts`. */
export interface GivenOptions {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly facts: ReadonlySet<string>;
}

export interface CommandContext {
  /** The words after the command that are not options. */
  readonly words: readonly string[];
  readonly options: GivenOptions;
  readonly screen: Screen;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** All commands, for help and completion. */
  readonly groups: readonly CommandGroup[];
  /** Finds a command by name, or throws USAGE. */
  readonly findCommand: (name: string) => Promise<KnownCommand>;
  /** Opens the coordinator of the chosen configuration. It is closed when the command ends. */
  readonly open: (settings?: OpenSettings) => Promise<Coordinator>;
}

/** How a command opens the coordinator, instead of or in addition to its options. */
type OpenSettings = Pick<
  OpenOptions,
  "config" | "project" | "settings" | "trustsNamed" | "workingFolder" | "environment" | "origin"
> & {
  /** Do not print its warnings. */
  readonly isQuiet?: boolean | undefined;
  /** Stdin is in use, so a person cannot be asked. */
  readonly isUnattended?: boolean | undefined;
};

export interface Command {
  readonly name: string;
  /** What follows the program's name, e.g. `show SERVER.TOOL`. Completion reads it too. */
  readonly usage: readonly string[];
  /** Help paragraphs, if the summary is not enough. */
  readonly description?: string | undefined;
  /** The next step for somebody who types a word that the command does not accept. */
  readonly instead?: ((word: string) => string) | undefined;
  /** Command lines with their meaning. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Resolves to the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}

/** A command in the table, before it is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** One line for lists. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

export interface KnownCommand extends Command {
  readonly summary: string;
}

/** The options that every command accepts. */
export const sharedOptions: Readonly<Record<string, CommandOption>> = {
  config: {
    type: "string",
    multiple: true,
    value: "PATH",
    summary: "Configuration file or folder (repeatable)",
  },
  project: {
    type: "string",
    value: "PATH",
    summary: "Use this folder's mcp-coordinator.json and your own configuration",
  },
  folder: { type: "string", value: "PATH", summary: "Work in this folder instead of the current one" },
  "state-folder": { type: "string", value: "PATH", summary: "Folder for runs, skills and trust records" },
  json: { type: "boolean", summary: "Print one JSON document" },
  trust: { type: "boolean", summary: "Trust every configuration as it is now, for this command only" },
  trusted: {
    type: "string",
    value: "CODE",
    summary: "Trust exactly what this code covers; printed commands contain it",
  },
  verbose: { type: "boolean", summary: "Also print calls, times, servers, and what failing servers printed" },
  help: { type: "boolean", short: "h", summary: "Show this help" },
};

/** A server failed or could not be reached. */
export const serverExitCode = 3;

const byKind: Readonly<Record<ErrorKind, number>> = { user: 1, upstream: serverExitCode, host: 4 };

/** 1: the user's config or program; 2: the command line; 3: a server; 4: our own failure. */
export const toExitCode = (error: { readonly code: ErrorCode; readonly kind: ErrorKind }): number =>
  error.code === "USAGE" ? 2 : byKind[error.kind];

/** The run waits for an answer. */
export const pausedExitCode = 5;

/** The codes in words, for help. */
export const exitCodeHelp: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "your configuration or program needs a change"],
  ["2", "the command was not understood"],
  ["3", "a server failed or could not be reached"],
  ["4", "a bug in mcp-coordinator, or no sandbox"],
  ["5", "the run waits for an answer"],
  ["130", "stopped by Ctrl-C"],
];

/** The parsed words after a command. */
export interface GivenWords {
  readonly words: readonly string[];
  readonly options: GivenOptions;
}

type OptionTable = Readonly<Record<string, CommandOption>>;

/** Rewrites an option whose value is omitted as "--name=". Otherwise the parser would take the next option as its value. */
const fillOptional = (words: readonly string[], options: OptionTable): string[] =>
  words.map((word, at) => {
    const name = word.slice(2);
    const isAlone = words[at + 1]?.startsWith("-") !== false;
    const isOptional = Object.hasOwn(options, name) && options[name]?.isValueOptional === true;
    return word.startsWith("--") && isOptional && isAlone ? `${word}=` : word;
  });

const tokensOf = (words: readonly string[], options: OptionTable) =>
  parseArgs({
    args: fillOptional(words, options),
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;

/** Splits off the command: the first word that is not an option. Options may come before it. */
export const splitCommand = (
  words: readonly string[],
): { readonly name: string | undefined; readonly rest: readonly string[] } => {
  const position = tokensOf(words, sharedOptions).find((token) => token.kind === "positional")?.index;
  return position === undefined
    ? { name: undefined, rest: words }
    : { name: words[position], rest: words.toSpliced(position, 1) };
};

/** The words and options so far, including mistakes. */
export const parseLoosely = (
  words: readonly string[],
  options: OptionTable,
): GivenWords["options"] & Pick<GivenWords, "words"> => {
  const tokens = tokensOf(words, options);
  const texts: Record<string, readonly string[]> = {};
  for (const token of tokens) {
    if (token.kind === "option" && token.value !== undefined)
      texts[token.name] = [...(texts[token.name] ?? []), token.value];
  }
  return {
    words: tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : [])),
    texts,
    facts: new Set(
      tokens.flatMap((token) => (token.kind === "option" && token.value === undefined ? [token.name] : [])),
    ),
  };
};

const usageError = (command: Command, state: string, hint?: string): CoordinatorError =>
  new CoordinatorError("USAGE", `Cannot read the options of "${command.name}": ${state}`, {
    hint: hint ?? `Run "mcp-coordinator ${command.name} --help" to see its usage.`,
  });

/** The words and options of one command. A mistake names the option and what was expected. */
export const parseWords = async (command: Command, rest: readonly string[]): Promise<GivenWords> => {
  const table: OptionTable = { ...sharedOptions, ...command.options };
  const words: string[] = [];
  const texts: Record<string, string[]> = {};
  const facts = new Set<string>();
  for (const token of tokensOf(rest, table)) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (option === undefined) {
      const { nearestNames } = await import("../../schema/index.js");
      const [near] = nearestNames(token.name, Object.keys(table), 1);
      throw usageError(command, `there is no option "${token.rawName}"`, near && `Did you mean "--${near}"?`);
    }
    if (option.type === "boolean") {
      if (token.value !== undefined) throw usageError(command, `"${token.rawName}" takes no value`);
      facts.add(token.name);
      continue;
    }
    // A forgotten value would swallow the next option.
    const isMissing = token.value === undefined || (!token.inlineValue && /^-[-a-zA-Z]/.test(token.value));
    if (token.value === undefined || isMissing) {
      throw usageError(command, `"${token.rawName}" has no value, expected ${option.value ?? "VALUE"}`);
    }
    const given = texts[token.name] ?? [];
    if (given.length > 0 && option.multiple !== true) {
      throw usageError(command, `"${token.rawName}" is given twice, expected once`);
    }
    texts[token.name] = [...given, token.value];
  }
  return { words, options: { texts, facts } };
};
