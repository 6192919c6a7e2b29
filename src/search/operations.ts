// What a verb does to things: a tool that deletes should not come up first for a question that reads.
import { toTerm } from "./to-term.js";

const verbs = [
  "get fetch retrieve list read search find show view query lookup describe load browse check count download open inspect explain",
  "create add insert append generate make new post send upload publish write save build draw attach submit",
  "update edit modify change set rename move replace write save configure",
  "delete remove clear cancel erase drop purge stop close kill",
];

const readVerbs = (): ReadonlyMap<string, number> => {
  const kinds = new Map<string, number>();
  for (const [kind, line] of verbs.entries()) {
    for (const verb of line.split(" ")) {
      const term = toTerm(verb) ?? verb;
      kinds.set(term, (kinds.get(term) ?? 0) | (1 << kind));
    }
  }
  return kinds;
};

/** The kinds of operation of each verb's term. */
export const operations = readVerbs();

/** The kinds of operation that terms name, a bit for each (reads, makes, changes, removes); 0 when they name none. */
export const operationsOf = (terms: readonly string[]): number =>
  terms.reduce((kinds, term) => kinds | (operations.get(term) ?? 0), 0);
