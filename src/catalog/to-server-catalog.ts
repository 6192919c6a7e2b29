// One server's listing → its tools under safe, unique names, and the way to find them.
import {
  type ListedTool,
  type Listing,
  listingLimits,
  type ServerCatalog,
  type Tool,
  type UncheckedReason,
} from "../contracts/index.js";
import { assignNames } from "./assign-names.js";
import { reservedForTools } from "./reserved-names.js";
import { toFingerprint } from "./to-fingerprint.js";
import { toIdentifier } from "./to-identifier.js";

const uncheckedTexts: Readonly<Record<UncheckedReason, string>> = {
  parts: `its schema has more than ${listingLimits.schemaParts} parts`,
  depth: `its schema is nested deeper than ${listingLimits.schemaDepth} levels`,
  length: `its schema has more than ${listingLimits.schemaLength} characters`,
  listing: "the schemas of its server are too large together",
};

/** Whoever reads of the tool reads this first. */
const toDescription = (
  { description, title, unchecked }: ListedTool,
  fallback: string | undefined,
): string => {
  const text = description ?? title ?? fallback ?? "";
  return unchecked === undefined ? text : `[Arguments are not checked: ${uncheckedTexts[unchecked]}] ${text}`;
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
    ...(title === undefined ? {} : { title }),
    description: toDescription(listed, title),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    isReadOnly,
    // The protocol's default: a write that declares nothing may destroy something.
    isDestructive: !isReadOnly && annotations?.destructiveHint !== false,
    ...(annotations?.idempotentHint === true ? { isIdempotent: true } : {}),
    ...(listed.unchecked === undefined ? {} : { unchecked: listed.unchecked }),
    // A hash of all that is said of a tool: of thousands of tools, most are never looked at.
    get fingerprint() {
      fingerprint ??= toFingerprint(listed);
      return fingerprint;
    },
  };
};

const toLooseName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Finds by the name on the wire, then the function name, then by letters and digits alone where only one tool fits. */
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

/** The tools of one server. A name listed twice is one tool: the wire could not tell the two apart. */
export const toServerCatalog = (listing: Listing, identifier: string): ServerCatalog => {
  const listed = new Map<string, ListedTool>();
  for (const tool of listing.tools) if (!listed.has(tool.name)) listed.set(tool.name, tool);
  const functionNames = assignNames({
    names: listed.keys(),
    toIdentifier: (name) => toIdentifier({ name, reserved: reservedForTools, fallback: "tool" }),
  });
  const tools = [...listed.values()].map((tool) =>
    toTool(listing.server, tool, functionNames.get(tool.name) ?? tool.name),
  );
  return {
    server: listing.server,
    identifier,
    ...(listing.instructions === undefined ? {} : { instructions: listing.instructions }),
    tools,
    find: toFinder(tools),
  };
};
