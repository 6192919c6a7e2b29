// Finds the positions of texts and numbers in JSON without parsing it, with the names of their fields.

export interface JsonLeaf {
  /** Between the quotation marks, or the digits. */
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
  /** Whether it is the name of a field. */
  readonly isKey: boolean;
  /** Whether it contains escape sequences. */
  readonly hasEscapes: boolean;
  /** The name of its field; in a list, that of the list. */
  readonly field: string;
  /** The name of the field that holds its object. */
  readonly around: string;
  readonly object: JsonObjectFacts;
}

/** An object, and whether one of its fields is personal. */
export interface JsonObjectFacts {
  isPersonal: boolean;
}

interface Level {
  readonly isObject: boolean;
  /** The field that holds the object or list. */
  readonly own: string;
  readonly facts: JsonObjectFacts;
  /** The name before the current value. */
  field: string;
}

const maxDepth = 1000;
const literals = ["true", "false", "null"];

/** Which places matter. */
export interface JsonReader {
  /** The name says that its object is about a person. */
  readonly isPersonal: (field: string) => boolean;
  /** The name itself may be a personal value. */
  readonly isKeyRead: (field: string) => boolean;
  /** A number in this field may be a personal value. */
  readonly isNumberRead: (field: string) => boolean;
}

/** How a list or an object begins. */
export const looksLikeJson = /^\s*[[{]/;

/** Undefined if it is not JSON: then nothing in it may be passed over. */
export const scanJson = (text: string, reader: JsonReader): readonly JsonLeaf[] | undefined => {
  const leaves: JsonLeaf[] = [];
  const root: Level = { isObject: false, own: "", facts: { isPersonal: false }, field: "" };
  const levels: Level[] = [root];
  let level = root;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const { end, hasEscapes } = readText(text, at + 1);
      if (end < 0) return undefined;
      let next = end + 1;
      while (isSpace(text.charCodeAt(next))) next++;
      const isKey = level.isObject && text.charCodeAt(next) === 58;
      if (isKey) {
        level.field = text.slice(at + 1, end);
        if (reader.isPersonal(level.field)) level.facts.isPersonal = true;
      }
      const isRead = end > at + 1 && (!isKey || reader.isKeyRead(level.field));
      if (isRead)
        leaves.push({
          start: at + 1,
          end,
          isText: true,
          isKey,
          hasEscapes,
          field: isKey ? "" : level.isObject ? level.field : level.own,
          around: level.own,
          object: level.facts,
        });
      at = isKey ? next + 1 : end + 1;
    } else if (code === 123 || code === 91) {
      if (levels.length >= maxDepth) return undefined;
      const isObject = code === 123;
      const own = level.isObject ? level.field : level.own;
      level = { isObject, own, facts: isObject ? { isPersonal: false } : level.facts, field: "" };
      levels.push(level);
      at++;
    } else if (code === 125 || code === 93) {
      levels.pop();
      level = levels.at(-1) ?? root;
      at++;
    } else if (code === 44 || code === 58 || isSpace(code)) at++;
    else if (code === 45 || (code >= 48 && code <= 57)) {
      const start = at;
      while (at < text.length && "0123456789+-.eE".includes(text.charAt(at))) at++;
      const field = level.isObject ? level.field : level.own;
      if (reader.isNumberRead(field))
        leaves.push({
          start,
          end: at,
          isText: false,
          isKey: false,
          hasEscapes: false,
          field,
          around: level.own,
          object: level.facts,
        });
    } else {
      const word = literals.find((literal) => text.startsWith(literal, at));
      if (word === undefined) return undefined;
      at += word.length;
    }
  }
  return leaves;
};

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

const readText = (text: string, from: number): { readonly end: number; readonly hasEscapes: boolean } => {
  let hasEscapes = false;
  for (let at = from; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return { end: -1, hasEscapes };
    let slashes = 0;
    while (end - 1 - slashes >= from && text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) {
      hasEscapes ||= hasBackslash(text, from, end);
      return { end, hasEscapes };
    }
    hasEscapes = true;
    at = end + 1;
  }
};

const hasBackslash = (text: string, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 92) return true;
  return false;
};
