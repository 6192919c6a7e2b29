// Suggests the next word from the usage lines: commands, options and their values, and names for placeholders.

import { CoordinatorError } from "../../../contracts/index.js";
import {
  type Command,
  type CommandGroup,
  type CommandOption,
  parseLoosely,
  sharedOptions,
  splitCommand,
} from "../command.js";

interface Suggestion {
  readonly value: string;
  readonly summary?: string | undefined;
}

/** Tells the shell to complete file names. */
const files: Suggestion = { value: ":files" };

interface SuggestRequest {
  /** The words after the program's name, the last one as typed so far. */
  readonly words: readonly string[];
  readonly groups: readonly CommandGroup[];
  /** Names for a placeholder; called only if one is needed. */
  readonly listNames: (request: NameRequest) => Promise<readonly string[]>;
}

export interface NameRequest {
  readonly placeholder: string;
  /** What was typed so far. */
  readonly value: string;
  /** Words typed before, by their placeholders. */
  readonly known: Readonly<Record<string, string>>;
  /** The value of `--config`, if given. */
  readonly configs: readonly string[];
}

// Servers choose tool names, and a shell would execute special characters in a word. Such names must be typed by hand.
const isHarmless = (name: string): boolean => /^[\p{L}\p{N}_@.][\p{L}\p{N}_@.:,/+=-]*$/u.test(name);

const filePlaceholders = new Set(["FILE", "PATH", "DIR"]);

const toOptions = (options: Readonly<Record<string, CommandOption>>): readonly Suggestion[] =>
  Object.entries(options).map(([name, { summary }]) => ({ value: `--${name}`, summary }));

/** The option whose value is being typed, the value so far, and what precedes it in the same word. */
const findOpenOption = (
  table: Readonly<Record<string, CommandOption>>,
  before: readonly string[],
  current: string,
) => {
  const byName = (word: string | undefined): CommandOption | undefined => {
    const found = Object.entries(table).find(
      ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
    )?.[1];
    return found?.type === "string" ? found : undefined;
  };
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(current);
  if (assigned !== null) {
    const option = byName(assigned[1]);
    return option && { option, value: assigned[2] ?? "", prefix: `${assigned[1]}=` };
  }
  // Bash splits words at "=".
  if (before.at(-1) === "=") {
    const option = byName(before.at(-2));
    return option && { option, value: current, prefix: "" };
  }
  const option = current === "=" ? byName(before.at(-1)) : undefined;
  if (option !== undefined) return { option, value: "", prefix: "" };
  const previous = byName(before.at(-1));
  return previous && { option: previous, value: current, prefix: "" };
};

const suggestForCommand = async (
  command: Command,
  { before, current }: { readonly before: readonly string[]; readonly current: string },
  listNames: SuggestRequest["listNames"],
): Promise<readonly Suggestion[]> => {
  const table = { ...command.options, ...sharedOptions };
  const given = parseLoosely(before, table);
  const configs = given.texts.config ?? [];
  const named = async (request: Omit<NameRequest, "configs">): Promise<readonly Suggestion[]> =>
    filePlaceholders.has(request.placeholder)
      ? [files]
      : (await listNames({ ...request, configs })).filter(isHarmless).map((value) => ({ value }));
  const open = findOpenOption(table, before, current);
  if (open !== undefined) {
    const { option, value, prefix } = open;
    const found = option.choices?.map((choice) => ({ value: choice })) ?? [
      ...(await named({ placeholder: option.value ?? "", value, known: {} })),
    ];
    return found.map((one) => (one === files ? one : { ...one, value: `${prefix}${one.value}` }));
  }
  if (current.startsWith("-")) {
    return toOptions(
      Object.fromEntries(
        Object.entries(table).filter(
          ([name, { multiple }]) =>
            multiple === true || !(given.facts.has(name) || Object.hasOwn(given.texts, name)),
        ),
      ),
    );
  }
  const found: Suggestion[] = [];
  for (const { place, known } of placesAfter(command, given.words)) {
    if ("literals" in place) found.push(...place.literals.map((value) => ({ value })));
    else found.push(...(await named({ placeholder: place.placeholder, value: current, known })));
  }
  return found;
};

/** Suggestions that start with what was typed, each once. */
export const suggestWords = async ({
  words,
  groups,
  listNames,
}: SuggestRequest): Promise<readonly Suggestion[]> => {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const entries = groups.flatMap(({ commands }) => commands);
  const { name, rest } = splitCommand(before);
  const entry = entries.find((one) => one.name === name);
  let found: readonly Suggestion[] = [];
  if (entry !== undefined)
    found = await suggestForCommand(await entry.load(), { before: rest, current }, listNames);
  else if (name === undefined && before.at(-1) === "--config") found = [files];
  else if (name === undefined && current.startsWith("-"))
    found = [...toOptions(sharedOptions), { value: "--version", summary: "Show the version" }];
  else if (name === undefined) found = entries.map(({ name: value, summary }) => ({ value, summary }));
  const wanted = current === "=" ? "" : current;
  const fitting = found.filter((one) => one === files || one.value.startsWith(wanted));
  return [...new Map(fitting.map((one) => [one.value, one])).values()];
};

/** Literal words, or a placeholder such as SERVER. */
type Place = { readonly literals: readonly string[] } | { readonly placeholder: string };

const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z_.]*$/.test(word);

const takesValue = (command: Command, word: string): boolean => {
  const option = Object.entries(command.options).find(
    ([name, { short }]) => word === `--${name}` || word === `-${short}`,
  )?.[1];
  return option === undefined ? word === "--config" : option.type === "string";
};

/** The positions of one usage line, without the command's name and options. */
export const readUsage = (command: Command, usage: string): readonly Place[] => {
  const [, ...words] = usage
    .replace(/[[\]]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const places: Place[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "<") break;
    if (word.startsWith("-")) {
      if (takesValue(command, word)) at += 1;
      continue;
    }
    if (word.includes("=")) places.push({ placeholder: "ARGUMENT" });
    else if (isPlaceholder(word)) places.push({ placeholder: word });
    else if (/^[a-z]/.test(word)) places.push({ literals: word.split("|") });
  }
  return places;
};

const fits = (place: Place | undefined, word: string): boolean =>
  place !== undefined && ("placeholder" in place || place.literals.includes(word));

/** What may come after `given`, and the words known by then, by their placeholders. */
const placesAfter = (
  command: Command,
  given: readonly string[],
): readonly { readonly place: Place; readonly known: Readonly<Record<string, string>> }[] =>
  command.usage.flatMap((usage) => {
    const places = readUsage(command, usage);
    const last = places.at(-1);
    // Arguments may repeat.
    const repeats = last !== undefined && "placeholder" in last && last.placeholder === "ARGUMENT";
    const placeAt = (at: number): Place | undefined => places[at] ?? (repeats ? last : undefined);
    if (!given.every((word, at) => fits(placeAt(at), word))) return [];
    const known = Object.fromEntries(
      given.flatMap((word, at) => {
        const place = placeAt(at);
        return place !== undefined && "placeholder" in place ? [[place.placeholder, word]] : [];
      }),
    );
    const place = placeAt(given.length);
    return place === undefined ? [] : [{ place, known }];
  });

/** Refuses a word that the command has no position for: ignoring it would hide a mistake. */
export const refuseStrayWords = (command: Command, words: readonly string[]): void => {
  if (command.usage.some((usage) => readUsage(command, usage).length > 0)) return;
  const { name, instead } = command;
  throw new CoordinatorError(
    "USAGE",
    `Cannot run "${name}": it takes no arguments, found "${words.join(" ")}"`,
    {
      hint: instead?.(words[0] ?? "") ?? `Run "mcp-coordinator ${name} --help" to see its usage.`,
    },
  );
};
