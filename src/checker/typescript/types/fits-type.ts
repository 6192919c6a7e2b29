// Decides whether a value of one printed type can ever be of another. If in doubt, it can.

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
