// Parses a usage line into what may appear at each position, so that help and completion agree.
import type { Command } from "../command.js";
import { usage as usageError } from "../read-words.js";

/** Literal words, or a placeholder such as SERVER. */
export type Place = { readonly literals: readonly string[] } | { readonly placeholder: string };

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
export const placesAfter = (
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
  throw usageError(
    `run "${command.name}"`,
    `it takes no arguments, found "${words.join(" ")}"`,
    command.name,
  );
};
