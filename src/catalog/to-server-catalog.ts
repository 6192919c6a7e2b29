// One server's listing → Tool records with safe, unique names, and a lookup by name.
import { createHash } from "node:crypto";
import {
  type DeclaredEffect,
  type ListedTool,
  type Listing,
  listingLimits,
  type RuleName,
  type ServerCatalog,
  type Tool,
  type ToolAnnotations,
  toCanonicalJson,
  type UncheckedReason,
} from "../contracts/index.js";
import { toFunctionNames } from "./assign-identifiers.js";
import { listOffered, type OfferedTool } from "./offered-tools.js";

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

const toTool = (
  server: string,
  listed: ListedTool & Partial<Pick<OfferedTool, "method">>,
  functionName: string,
): Tool => {
  const { name, inputSchema, outputSchema, annotations } = listed;
  const title = listed.title ?? annotations?.title;
  const isReadOnly = annotations?.readOnlyHint === true;
  let fingerprint: string | undefined;
  return {
    server,
    name,
    method: listed.method,
    functionName,
    title,
    description: toDescription(listed, title),
    inputSchema,
    outputSchema,
    isReadOnly,
    // The protocol's default: a write that declares nothing may destroy something.
    isDestructive: !isReadOnly && annotations?.destructiveHint !== false,
    isExternal: annotations?.openWorldHint !== false,
    effect: readEffect(annotations ?? {}),
    isIdempotent: annotations?.idempotentHint === true || undefined,
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

const somewhere = { uri: "", uriTemplate: "", name: "" };

/**
 * The Tool records of a server's resources, prompts and completion, by name. Unlike in the catalog, tools of the same name hide nothing, and
 * resources and completion can be used even if the server has listed none.
 */
export const toOfferedTools = (listing: Listing): ReadonlyMap<string, Tool> => {
  const { server, resources, resourceTemplates } = listing;
  const offered = listOffered({
    ...listing,
    tools: [],
    resources: [...resources, somewhere],
    resourceTemplates: [...resourceTemplates, somewhere],
  });
  return new Map(offered.map((one) => [one.name, toTool(server, one, one.name)]));
};

/**
 * The tools of one server. A name listed twice is one tool: a call could not tell the two apart.
 * `findDenial`: the rule that denies every call of a tool.
 */
export const toServerCatalog = (
  listing: Listing,
  identifier: string,
  findDenial: (tool: Tool) => RuleName | undefined = () => undefined,
): ServerCatalog => {
  const listed = new Map<string, ListedTool>();
  for (const tool of [...listing.tools, ...listOffered(listing)])
    if (!listed.has(tool.name)) listed.set(tool.name, tool);
  const functionNames = toFunctionNames(listed.keys());
  const usable = [...listed.values()].map((tool): Tool => {
    const found = toTool(listing.server, tool, functionNames.get(tool.name) ?? tool.name);
    const denied = findDenial(found);
    return denied === undefined ? found : { ...found, denied };
  });
  const all = [...usable, ...toWithheld(listing, usable)];
  const isShown = (tool: Tool): boolean => tool.denied === undefined && tool.withheld === undefined;
  return {
    server: listing.server,
    identifier,
    instructions: listing.instructions,
    tools: all.filter(isShown),
    hidden: all.filter((tool) => !isShown(tool)),
    find: toFinder(all),
  };
};

/** They get no name that leads to another tool. */
const toWithheld = ({ server, withheld = [] }: Listing, usable: readonly Tool[]): readonly Tool[] => {
  const taken = new Set(usable.flatMap(({ name, functionName }) => [name, functionName.toLowerCase()]));
  return withheld.flatMap(({ tool, change }) => {
    const functionName = toFunctionNames([tool.name]).get(tool.name) ?? tool.name;
    if (taken.has(tool.name) || taken.has(functionName.toLowerCase())) return [];
    taken.add(tool.name).add(functionName.toLowerCase());
    return [{ ...toTool(server, tool, functionName), withheld: change }];
  });
};
