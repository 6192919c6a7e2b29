// The command that a person types to continue what a run began: it works when it is pasted, whatever is in its names.
import { renderOwnCommand } from "../onboarding/own-command.js";

/** Words that every shell takes as they are. */
const plain = /^[\w@%+=:,./-]+$/;

const quote = (word: string): string => {
  if (plain.test(word)) return word;
  if (process.platform === "win32") return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
};

export interface CommandPlace {
  /** Absolute paths of the configuration, when it is not the usual one. */
  readonly config: readonly string[];
  readonly workspace: string | undefined;
}

export const toCommandLine = (words: readonly string[], { config, workspace }: CommandPlace): string =>
  `${renderOwnCommand()} ${[
    ...words,
    ...(workspace === undefined ? [] : ["--workspace", workspace]),
    ...config.flatMap((path) => ["--config", path]),
  ]
    .map(quote)
    .join(" ")}`;
