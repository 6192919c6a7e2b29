// Labels: names that a policy gives to data by where it came from. An index of all answers of a run finds the labels of values that a program
// passes on unchanged.
import { hash } from "node:crypto";
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";
import { looksLikeJson } from "../privacy/scan-json.js";

export type Labels = ReadonlySet<string>;

export const noLabels: Labels = new Set();

/** The label of data that may mislead a model. Once a model has read such data, every call that it makes has the label. */
export const untrusted = "untrusted";

/** Returns one of the two if it has the labels of both, so that most joins create nothing. */
export const joinLabels = (one: Labels, other: Labels): Labels => {
  if (one === other || other.size === 0) return one;
  if (one.size === 0) return other;
  let joined: Set<string> | undefined;
  for (const label of other)
    if (!one.has(label)) {
      joined ??= new Set(one);
      joined.add(label);
    }
  return joined ?? one;
};

/** The labels of what a tool answers: those of everything, and those of single fields. */
export interface SourceLabels {
  readonly whole: Labels;
  readonly fields: readonly FieldLabel[];
}

export interface FieldLabel {
  /** Names from the outside in, at any depth. Lists on the way have no name. */
  readonly path: readonly string[];
  readonly label: string;
}

export const noSource: SourceLabels = { whole: noLabels, fields: [] };

/** For data without distinguishable fields. */
export const allLabels = ({ whole, fields }: SourceLabels): Labels =>
  fields.length === 0 ? whole : joinLabels(whole, new Set(fields.map(({ label }) => label)));

const containsPath = (path: readonly string[], wanted: readonly string[]): boolean => {
  for (let at = 0; at + wanted.length <= path.length; at++)
    if (wanted.every((name, index) => path[at + index] === name)) return true;
  return false;
};

/** The labels of a value at this place of an answer. */
export const labelsAt = ({ whole, fields }: SourceLabels, path: readonly string[]): Labels => {
  let labels = whole;
  for (const field of fields)
    if (!labels.has(field.label) && containsPath(path, field.path))
      labels = joinLabels(labels, new Set([field.label]));
  return labels;
};

/** Shorter texts may be equal by chance. */
const minLength = 4;
/** Longer texts are not compared. */
const maxLength = 65_536;
/** Beyond these limits, no text of the run is found: each counts as derived from everything. */
const maxTexts = 50_000;
const maxCharacters = 16_000_000;
const shortLength = 64;
const maxDepth = 500;

const toKey = (text: string): string => (text.length <= shortLength ? text : hash("sha256", text, "base64"));

export interface ValueIndex {
  /** The labels of every answer that has this text. Undefined: no answer has it, or that is not known. */
  readonly find: (text: string) => Labels | undefined;
  readonly addText: (text: string, labels: Labels) => void;
  /** Adds the texts and names of an answer. Returns the labels of all of it. */
  readonly addJson: (value: Json, source: SourceLabels, more: Labels) => Labels;
  /** An answer could not be read. From now on nothing is found. */
  readonly giveUp: () => void;
}

export const openValueIndex = (): ValueIndex => {
  const known = new Map<string, Labels>();
  let characters = 0;
  let isOver = false;

  const giveUp = (): void => {
    isOver = true;
    known.clear();
  };
  const addText = (text: string, labels: Labels): void => {
    if (isOver || text.length < minLength) return;
    characters += text.length;
    if (text.length > maxLength) return;
    if (known.size >= maxTexts || characters > maxCharacters) {
      giveUp();
      return;
    }
    const key = toKey(text);
    const before = known.get(key);
    known.set(key, before === undefined ? labels : joinLabels(before, labels));
  };
  return {
    find: (text) =>
      isOver || text.length < minLength || text.length > maxLength ? undefined : known.get(toKey(text)),
    addText,
    giveUp,
    addJson: (value, source, more) => {
      let total = more;
      const path: string[] = [];
      const visit = (item: Json, depth: number): void => {
        if (depth > maxDepth) {
          total = joinLabels(total, allLabels(source));
          giveUp();
          return;
        }
        if (typeof item === "string" && looksLikeJson.test(item) && source.fields.length > 0) {
          // Its fields cannot be distinguished.
          const labels = joinLabels(more, allLabels(source));
          total = joinLabels(total, labels);
          addText(item, labels);
          return;
        }
        if (typeof item !== "object" || item === null || readLargeInteger(item) !== undefined) {
          const labels = joinLabels(labelsAt(source, path), more);
          total = joinLabels(total, labels);
          const text = readScalar(item);
          if (text !== undefined) addText(text, labels);
          return;
        }
        if (Array.isArray(item)) {
          for (const one of item as readonly Json[]) visit(one, depth + 1);
          return;
        }
        for (const [name, one] of Object.entries(item as JsonObject)) {
          path.push(name);
          const labels = joinLabels(labelsAt(source, path), more);
          total = joinLabels(total, labels);
          addText(name, labels);
          visit(one, depth + 1);
          path.pop();
        }
      };
      visit(value, 0);
      return joinLabels(total, source.whole);
    },
  };
};

/** A text, or the digits of a number. */
export const readScalar = (item: Json): string | undefined => {
  if (typeof item === "string") return item;
  return typeof item === "number" ? String(item) : readLargeInteger(item);
};
