// What a command is: its words for people, its options, and what it does.
import type { Coordinator, OpenOptions } from "../../coordinator/index.js";
import type { Screen } from "./screen.js";

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly short?: string | undefined;
  readonly multiple?: boolean | undefined;
  /** What stands for the value in help, e.g. PATH. */
  readonly value?: string | undefined;
  /** It may stand alone: its value is then "". */
  readonly isValueOptional?: true | undefined;
  /** The only values it takes. */
  readonly choices?: readonly string[] | undefined;
  readonly summary: string;
}

/** Options as they were given: a string option as a list, in order; a boolean one as a fact. */
export interface GivenOptions {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly facts: ReadonlySet<string>;
}

export interface CommandContext {
  /** The words after the command that are no options. */
  readonly words: readonly string[];
  readonly options: GivenOptions;
  readonly screen: Screen;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Every command, for help and completion. */
  readonly groups: readonly CommandGroup[];
  /** The command of that name, or a USAGE error. */
  readonly findCommand: (name: string) => Promise<KnownCommand>;
  /** Opens the coordinator of the configuration asked for; it is closed when the command ends. */
  readonly open: (settings?: OpenSettings) => Promise<Coordinator>;
}

/** What a command can say of the coordinator it opens, beyond `--config`. */
type OpenSettings = Pick<OpenOptions, "config" | "settings" | "trustsNamed"> & {
  /** Its warnings are nobody's business. */
  readonly isQuiet?: boolean | undefined;
  /** Stdin is somebody else's: a person cannot be asked. */
  readonly isUnattended?: boolean | undefined;
};

export interface Command {
  readonly name: string;
  /** What follows the program's name, e.g. `show SERVER.TOOL`; completion reads it too. */
  readonly usage: readonly string[];
  /** Paragraphs of help, when the summary is not enough. */
  readonly description?: string | undefined;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Ends with the exit code. */
  readonly run: (context: CommandContext) => Promise<number>;
}

/** A command as the table knows it without having loaded it. */
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

/** The options that every command takes. */
export const sharedOptions: Readonly<Record<string, CommandOption>> = {
  config: {
    type: "string",
    multiple: true,
    value: "PATH",
    summary: "Configuration file or folder (repeatable)",
  },
  folder: { type: "string", value: "PATH", summary: "Work in this folder instead of the current one" },
  "state-folder": { type: "string", value: "PATH", summary: "Folder for runs, skills and trust records" },
  json: { type: "boolean", summary: "Print one JSON document" },
  trust: { type: "boolean", summary: "Trust every configuration as it is now, for this command only" },
  trusted: {
    type: "string",
    value: "CODE",
    summary: "The same for exactly what this code covers (in printed commands)",
  },
  verbose: { type: "boolean", summary: "Print more details on stderr" },
  help: { type: "boolean", short: "h", summary: "Show this help" },
};
