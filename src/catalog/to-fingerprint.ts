// A hash of everything a server says of a tool, the same whatever the order of its keys.
import { createHash } from "node:crypto";
import type { ListedTool } from "../contracts/index.js";

/** Deeper than any schema means something; without a floor a hostile listing would overflow the stack. */
const deepestLevel = 1000;

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const toCanonicalJson = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > deepestLevel) return '"too deep"';
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item, depth + 1)).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([left], [right]) => compareCodeUnits(left, right))
    .map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item, depth + 1)}`);
  return `{${entries.join(",")}}`;
};

/** SHA-256, in hexadecimal, of the tool's canonical JSON. */
export const toFingerprint = (tool: ListedTool): string => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const text = toCanonicalJson({ name, title, description, inputSchema, outputSchema, annotations });
  return createHash("sha256").update(text).digest("hex");
};
