// Reads types as compilers and codegen print them: their fields, and whether a value of one can ever be of another. If in doubt, it can.

type Kind = "string" | "number" | "boolean" | "array" | "promise";

interface Part {
  readonly kind: Kind;
  /** The source of a literal; undefined for the whole kind. */
  readonly literal?: string | undefined;
}

/** The members of a union of simple types; undefined if one of them is not simple. */
const readParts = (text: string): readonly Part[] | undefined => {
  const parts = splitUnion(text).map(readPart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

/** The members of a union, as printed. */
export const splitUnion = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let current = "";
  for (const piece of text.match(/"(?:[^"\\]|\\.)*"|[\s\S]/g) ?? []) {
    if ("({[<".includes(piece)) depth++;
    else if (")}]>".includes(piece)) depth--;
    if (piece === "|" && depth === 0) {
      parts.push(current.trim());
      current = "";
    } else current += piece;
  }
  return [...parts, current.trim()].filter((part) => part !== "" && part !== "undefined");
};

const readPart = (text: string): Part | undefined => {
  if (text === "string" || text === "number" || text === "boolean") return { kind: text };
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) return { kind: "string", literal: text };
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return { kind: "number", literal: text };
  if (text === "true" || text === "false") return { kind: "boolean", literal: text };
  if (/^Promise<[\s\S]*>$/.test(text)) return { kind: "promise" };
  // Lists only count as lists: their items get a message of their own.
  return text.endsWith("[]") && !text.startsWith("any") ? { kind: "array" } : undefined;
};

/** False if it is certain that no value of the first type is of the second. */
export const canFit = (given: string, wanted: string): boolean => {
  if (isPromise(given)) return false;
  const [from, to] = [readParts(given), readParts(wanted)];
  if (from === undefined || to === undefined || from.length === 0 || to.length === 0) return true;
  return from.some((part) => to.some((other) => fits(part, other)));
};

export const isPromise = (type: string): boolean =>
  /^Promise<[\s\S]*>$/.test(type) && splitUnion(type).length === 1;

/** A whole kind may hold any of its literals: `string` can be right where `"open"` is expected. */
const fits = (given: Part, wanted: Part): boolean => {
  if (given.kind === "promise" || given.kind !== wanted.kind) return false;
  return given.literal === undefined || wanted.literal === undefined || given.literal === wanted.literal;
};

/** The fields of `{ a: string; b?: { c: number } }`, at its first level only. */
const readFields = (text: string): readonly string[] => {
  const names: string[] = [];
  let depth = 0;
  let isStart = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"' && !isStart) {
      at = endOfText(text, at);
      continue;
    }
    if (depth === 1 && isStart) {
      const found =
        /^\s*(?:readonly\s+)?(?:"((?:[^"\\]|\\.)*)"|([\p{ID_Start}$_][\p{ID_Continue}$]*))\??:/u.exec(
          text.slice(at, at + 200),
        );
      isStart = false;
      if (found !== null) names.push(found[1] ?? found[2] ?? "");
    }
    if ("{[(<".includes(character)) depth++;
    else if ("}])".includes(character) || (character === ">" && text[at - 1] !== "=")) depth--;
    if (depth === 0 && character === "}") break;
    if (depth === 1 && (character === "{" || character === ";")) isStart = true;
  }
  return names;
};

const endOfText = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
};

/** The fields of an inline type, or of one declared in the sources. */
export const listTypeFields = (type: string, sources: readonly string[]): readonly string[] => {
  if (type.startsWith("{")) return readFields(type);
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(type)) return [];
  for (const source of sources) {
    const start = source.indexOf(`type ${type} = {`);
    if (start !== -1) return readFields(source.slice(source.indexOf("{", start)));
  }
  return [];
};
