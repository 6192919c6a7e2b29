// Sanitizes listed items: rebuilds each from its valid fields, drops those without a name, finds invalid header declarations.
import {
  type Fields,
  isFields,
  type JsonSchema,
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  type Listing,
  listingLimits,
  type ToolAnnotations,
  type UncheckedReason,
} from "../../contracts/index.js";
import { measureValue } from "../transport/incoming-limits.js";

/** Cuts a text that is too long. */
export const cutText = (text: string): string =>
  text.length > listingLimits.textLength ? `${text.slice(0, listingLimits.textLength)}…` : text;

/** The named fields that have the given type. */
const pick = (raw: Fields, kind: "string" | "boolean", ...names: readonly string[]): Fields =>
  Object.fromEntries(
    names
      .filter((name) => typeof raw[name] === kind)
      .map((name) => [name, kind === "string" ? cutText(raw[name] as string) : raw[name]]),
  );

const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= listingLimits.nameLength;

const isAddress = (value: unknown): value is string =>
  typeof value === "string" && value.length <= listingLimits.addressLength;

const otherLimits = { parts: 2000, depth: 50, length: 64 * 1024 };
/** Items that were rebuilt here: if one is read again, its field `others` is ours and not the server's. */
const rebuilt = new WeakSet<object>();

/** Fields of the protocol that we do not use. One of another type would make a client refuse the lists of all servers. */
const otherTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: (value) => typeof value === "string",
  mimeType: (value) => typeof value === "string",
  size: (value) => typeof value === "number",
  _meta: isFields,
  annotations: isFields,
  execution: isFields,
  icons: (value) =>
    Array.isArray(value) && value.every((icon) => isFields(icon) && typeof icon.src === "string"),
};

/** The item with the server's fields that we do not use; without them if they are too large. `used`: fields that we do. */
const withOthers = <Item extends object>(
  item: Item,
  raw: Fields,
  used: readonly string[],
): Item & { readonly others?: ListedTool["others"] } => {
  const isOther = ([name, value]: [string, unknown]): boolean =>
    !used.includes(name) && (!Object.hasOwn(otherTypes, name) || otherTypes[name]?.(value) === true);
  const found = rebuilt.has(raw) ? raw.others : Object.fromEntries(Object.entries(raw).filter(isOther));
  const isStored =
    isFields(found) && Object.keys(found).length > 0 && !("tooMuch" in measureValue(found, otherLimits));
  const whole = isStored ? { ...item, others: found } : item;
  rebuilt.add(whole);
  return whole;
};

/** Marks an open schema that replaces one that was too large, so that reading it again gives the same result. */
const uncheckedKeyword = "x-unchecked";
const uncheckedReasons: ReadonlySet<unknown> = new Set<UncheckedReason>([
  "parts",
  "depth",
  "length",
  "listing",
]);

/** The tool without its schemas: it can be called, but its arguments are not checked. */
const toUncheckedTool = (tool: ListedTool, reason: UncheckedReason): ListedTool => {
  const { outputSchema: _output, ...rest } = tool;
  return { ...rest, inputSchema: { type: "object", [uncheckedKeyword]: reason }, unchecked: reason };
};

/** The remaining budget for the schemas of a server's tools. */
export interface SchemaBudget {
  parts: number;
  length: number;
}

export const openSchemaBudget = (): SchemaBudget => ({
  parts: listingLimits.schemasParts,
  length: listingLimits.schemasLength,
});

const findUnchecked = (
  { inputSchema, outputSchema }: Fields,
  budget: SchemaBudget,
): UncheckedReason | undefined => {
  const marked = isFields(inputSchema) ? inputSchema[uncheckedKeyword] : undefined;
  if (uncheckedReasons.has(marked)) return marked as UncheckedReason;
  const measured = measureValue([inputSchema, outputSchema], {
    parts: Math.min(listingLimits.schemaParts, budget.parts),
    length: Math.min(listingLimits.schemaLength, budget.length),
    // One level for the array that holds both.
    depth: listingLimits.schemaDepth + 1,
  });
  if (!("tooMuch" in measured)) {
    budget.parts -= measured.parts;
    budget.length -= measured.length;
    return undefined;
  }
  const { tooMuch } = measured;
  if (tooMuch === "parts" && budget.parts < listingLimits.schemaParts) return "listing";
  return tooMuch === "length" && budget.length < listingLimits.schemaLength ? "listing" : tooMuch;
};

/** Arguments are always an object, whatever the server declares. */
const toInputSchema = (raw: unknown): JsonSchema =>
  isFields(raw) ? (raw.type === "object" ? raw : { ...raw, type: "object" }) : { type: "object" };

const toAnnotations = (raw: Fields): ToolAnnotations => ({
  ...pick(raw, "string", "title"),
  ...pick(raw, "boolean", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
});

const toolFields = [
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "unchecked",
  "others",
];

export const toListedTool = (raw: unknown, budget = openSchemaBudget()): ListedTool | undefined => {
  if (!isFields(raw) || !isName(raw.name)) return undefined;
  const tool: ListedTool = {
    name: raw.name,
    ...pick(raw, "string", "title", "description"),
    inputSchema: toInputSchema(raw.inputSchema),
    ...(isFields(raw.outputSchema) ? { outputSchema: raw.outputSchema } : {}),
    ...(isFields(raw.annotations) ? { annotations: toAnnotations(raw.annotations) } : {}),
  };
  const unchecked = findUnchecked(raw, budget);
  return withOthers(unchecked === undefined ? tool : toUncheckedTool(tool, unchecked), raw, toolFields);
};

export const toListedResource = (raw: unknown): ListedResource | undefined => {
  if (!isFields(raw) || !isAddress(raw.uri)) return undefined;
  const name = typeof raw.name === "string" ? cutText(raw.name) : raw.uri;
  const resource = { uri: raw.uri, name, ...pick(raw, "string", "description", "mimeType") };
  return withOthers(resource, raw, ["uri", "name", "description", "mimeType", "others"]);
};

export const toListedTemplate = (raw: unknown): Listing["resourceTemplates"][number] | undefined => {
  if (!isFields(raw) || !isAddress(raw.uriTemplate)) return undefined;
  const name = typeof raw.name === "string" ? cutText(raw.name) : raw.uriTemplate;
  const template = { uriTemplate: raw.uriTemplate, name, ...pick(raw, "string", "description") };
  return withOthers(template, raw, ["uriTemplate", "name", "description", "others"]);
};

/** Maximum number of a prompt's arguments. */
const maxArguments = 100;

export const toListedPrompt = (raw: unknown): ListedPrompt | undefined => {
  if (!isFields(raw) || !isName(raw.name)) return undefined;
  const given = Array.isArray(raw.arguments)
    ? raw.arguments.slice(0, maxArguments).filter(isFields)
    : undefined;
  const named = given?.flatMap((item) =>
    isName(item.name)
      ? [
          {
            name: item.name,
            ...pick(item, "string", "title", "description"),
            ...pick(item, "boolean", "required"),
          },
        ]
      : [],
  );
  const prompt = { name: raw.name, ...pick(raw, "string", "description"), arguments: named };
  return withOthers(prompt, raw, ["name", "description", "arguments", "others"]);
};

/** Reports how many tools were removed from a page. */
export const leftOutKeyword = "x-left-out";

/**
 * Repairs the tools of an incoming message in place. In the 2026 protocol the SDK refuses a whole list for one invalid tool
 * or a missing cache hint, so it gets the message only after this.
 */
export const repairToolList = (message: unknown): void => {
  const result = isFields(message) && isFields(message.result) ? message.result : undefined;
  // A result with content is from a tool call, so its other fields are the tool's own.
  if (result === undefined || !Array.isArray(result.tools) || "content" in result) return;
  const budget = openSchemaBudget();
  // One more than is used, so that the reader knows that there are more.
  const raw = result.tools.slice(0, listingLimits.tools + 1);
  const tools = raw.flatMap((tool) => toListedTool(tool, budget) ?? []);
  Object.assign(result, {
    tools,
    [leftOutKeyword]: raw.length - tools.length,
    ...(result.resultType === undefined ? {} : { ttlMs: 0, cacheScope: "private" }),
  });
};

const annotation = "x-mcp-header";
/** A header name according to RFC 9110. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes: readonly unknown[] = ["string", "integer", "boolean"];
const deepest = 64;

/** Arrays are visited as well. */
const isNode = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Why a client of protocol 2026-07-28 must not use the tool over HTTP; undefined if it may. */
export const findHeaderFault = (inputSchema: JsonSchema): string | undefined => {
  // Almost no tool uses headers.
  if (!JSON.stringify(inputSchema).includes(`"${annotation}"`)) return undefined;
  const names = new Set<string>();
  const judge = (schema: Fields): string | undefined => {
    const name = schema[annotation];
    if (typeof name !== "string" || !headerName.test(name)) return "its name is not a valid header name";
    if (!headerTypes.includes(schema.type)) return "it is not a string, integer or boolean";
    if (names.has(name.toLowerCase())) return "two of them have the same name";
    names.add(name.toLowerCase());
    return undefined;
  };
  /** Only a property of the arguments, or of an object in them, has exactly one value per call. */
  const visit = (
    node: unknown,
    isProperty: boolean,
    isReached: boolean,
    depth: number,
  ): string | undefined => {
    if (!isNode(node) || depth > deepest) return undefined;
    if (Object.hasOwn(node, annotation)) {
      const fault = isProperty ? judge(node) : "it is not on a single argument";
      if (fault !== undefined) return fault;
    }
    for (const [key, value] of Object.entries(node)) {
      const isProperties = key === "properties" && isReached && isNode(value);
      const parts = isProperties ? Object.values(value) : [value];
      for (const part of parts) {
        const fault = visit(part, isProperties, isProperties, depth + 1);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  };
  return visit(inputSchema, false, true, 0);
};
