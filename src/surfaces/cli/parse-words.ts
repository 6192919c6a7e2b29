// Parses a command line into command name, words and options.
import { parseArgs } from "node:util";
import { CoordinatorError } from "../../contracts/index.js";
import { type Command, type CommandOption, type GivenOptions, sharedOptions } from "./command.js";

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
      throw usageError(command, `"${token.rawName}" is not one of them`, near && `Did you mean "--${near}"?`);
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
