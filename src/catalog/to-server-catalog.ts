// One server's listing → Tool records with safe, unique names, and a lookup by name.
import { createHash } from "node:crypto";
import {
  type DeclaredEffect,
  type ListedTool,
  type Listing,
  listingLimits,
  type ServerCatalog,
  type Tool,
  type ToolAnnotations,
  type UncheckedReason,
} from "../contracts/index.js";
import { compareCodeUnits, toFunctionNames } from "./assign-identifiers.js";

/** A hostile listing must not overflow the stack. */
const maxDepth = 1000;

/** JSON with sorted keys. */
export const toCanonicalJson = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > maxDepth) return '"too deep"';
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item, depth + 1)).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([left], [right]) => compareCodeUnits(left, right))
    .map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item, depth + 1)}`);
  return `{${entries.join(",")}}`;
};

/** A hash of everything that a server says of a tool, whatever the order of its keys. */
const toFingerprint = (tool: ListedTool): string => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const text = toCanonicalJson({ name, title, description, inputSchema, outputSchema, annotations });
  return createHash("sha256").update(text).digest("hex");
};

const uncheckedTexts: Readonly<Record<UncheckedReason, string>> = {
  parts: `its schema has more than ${listingLimits.schemaParts} parts`,
  depth: `its schema is nested deeper than ${listingLimits.schemaDepth} levels`,
  length: `its schema has more than ${listingLimits.schemaLength} characters`,
  listing: "the schemas of its server are too large together",
};

/** A warning comes first: descriptions are cut at the end. */
const toDescription = (
  { description, title, unchecked }: ListedTool,
  fallback: string | undefined,
): string => {
  const text = description ?? title ?? fallback ?? "";
  return unchecked === undefined ? text : `[Arguments are not checked: ${uncheckedTexts[unchecked]}] ${text}`;
};

/** `readOnlyHint: false` alone says only that it writes. */
const readEffect = ({ readOnlyHint, destructiveHint }: ToolAnnotations): DeclaredEffect | undefined => {
  if (readOnlyHint === true) return "read-only";
  if (destructiveHint === true) return "destructive";
  return readOnlyHint === false || destructiveHint === false ? "writes" : undefined;
};

const toTool = (server: string, listed: ListedTool, functionName: string): Tool => {
  const { name, inputSchema, outputSchema, annotations } = listed;
  const title = listed.title ?? annotations?.title;
  const isReadOnly = annotations?.readOnlyHint === true;
  let fingerprint: string | undefined;
  return {
    server,
    name,
    functionName,
    title,
    description: toDescription(listed, title),
    inputSchema,
    outputSchema,
    isReadOnly,
    // The protocol's default: a write that declares nothing may destroy something.
    isDestructive: !isReadOnly && annotations?.destructiveHint !== false,
    effect: readEffect(annotations ?? {}),
    ...(annotations?.idempotentHint === true ? { isIdempotent: true } : {}),
    unchecked: listed.unchecked,
    // Of thousands of tools, most are never looked at.
    get fingerprint() {
      fingerprint ??= toFingerprint(listed);
      return fingerprint;
    },
  };
};

const toLooseName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Finds a tool by its name, then by its function name, then by letters and digits alone if only one tool fits. */
export const toFinder = (tools: readonly Tool[]): ServerCatalog["find"] => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const byFunctionName = new Map(tools.map((tool) => [tool.functionName, tool]));
  const byLooseName = new Map<string, Tool | undefined>();
  for (const tool of tools) {
    for (const looseName of new Set([toLooseName(tool.name), toLooseName(tool.functionName)])) {
      byLooseName.set(looseName, byLooseName.has(looseName) ? undefined : tool);
    }
  }
  byLooseName.delete("");
  return (name) => byName.get(name) ?? byFunctionName.get(name) ?? byLooseName.get(toLooseName(name));
};

/** The tools of one server. A name listed twice is one tool: a call could not tell the two apart. */
export const toServerCatalog = (listing: Listing, identifier: string): ServerCatalog => {
  const listed = new Map<string, ListedTool>();
  for (const tool of listing.tools) if (!listed.has(tool.name)) listed.set(tool.name, tool);
  const functionNames = toFunctionNames(listed.keys());
  const tools = [...listed.values()].map((tool) =>
    toTool(listing.server, tool, functionNames.get(tool.name) ?? tool.name),
  );
  return {
    server: listing.server,
    identifier,
    instructions: listing.instructions,
    tools,
    find: toFinder(tools),
  };
};
