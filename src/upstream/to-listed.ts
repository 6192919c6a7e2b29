// What servers list, taken in with care: each item is rebuilt from the fields that fit; one without a name is nothing.
import type {
  JsonSchema,
  ListedPrompt,
  ListedResource,
  ListedTool,
  Listing,
  ToolAnnotations,
} from "../contracts/index.js";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The named fields that are of the given kind. */
const pick = (raw: Fields, kind: "string" | "boolean", ...names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => typeof raw[name] === kind).map((name) => [name, raw[name]]));

/** Arguments are always an object, whatever the server says or leaves out. */
const toInputSchema = (raw: unknown): JsonSchema =>
  isFields(raw) ? (raw.type === "object" ? raw : { ...raw, type: "object" }) : { type: "object" };

const toAnnotations = (raw: Fields): ToolAnnotations => ({
  ...pick(raw, "string", "title"),
  ...pick(raw, "boolean", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
});

export const toListedTool = (raw: unknown): ListedTool | undefined => {
  if (!isFields(raw) || typeof raw.name !== "string" || raw.name === "") return undefined;
  return {
    name: raw.name,
    ...pick(raw, "string", "title", "description"),
    inputSchema: toInputSchema(raw.inputSchema),
    ...(isFields(raw.outputSchema) ? { outputSchema: raw.outputSchema } : {}),
    ...(isFields(raw.annotations) ? { annotations: toAnnotations(raw.annotations) } : {}),
  };
};

export const toListedResource = (raw: unknown): ListedResource | undefined => {
  if (!isFields(raw) || typeof raw.uri !== "string") return undefined;
  const name = typeof raw.name === "string" ? raw.name : raw.uri;
  return { uri: raw.uri, name, ...pick(raw, "string", "description", "mimeType") };
};

export const toListedTemplate = (raw: unknown): Listing["resourceTemplates"][number] | undefined => {
  if (!isFields(raw) || typeof raw.uriTemplate !== "string") return undefined;
  const name = typeof raw.name === "string" ? raw.name : raw.uriTemplate;
  return { uriTemplate: raw.uriTemplate, name, ...pick(raw, "string", "description") };
};

export const toListedPrompt = (raw: unknown): ListedPrompt | undefined => {
  if (!isFields(raw) || typeof raw.name !== "string" || raw.name === "") return undefined;
  const given = Array.isArray(raw.arguments) ? raw.arguments.filter(isFields) : undefined;
  const named = given?.flatMap((item) =>
    typeof item.name === "string"
      ? [{ name: item.name, ...pick(item, "string", "description"), ...pick(item, "boolean", "required") }]
      : [],
  );
  return {
    name: raw.name,
    ...pick(raw, "string", "description"),
    ...(named === undefined ? {} : { arguments: named }),
  };
};

/**
 * Repairs the tools of an incoming message in place. In the 2026 era the SDK refuses a whole list for one tool that
 * does not fit its schema, or for a missing cache hint; it sees the message only after this.
 */
export const repairToolList = (message: unknown): void => {
  const result = isFields(message) && isFields(message.result) ? message.result : undefined;
  // The result of a tool call has content; whatever else is in it is the tool's own.
  if (result === undefined || !Array.isArray(result.tools) || "content" in result) return;
  const tools = result.tools.flatMap((raw) => toListedTool(raw) ?? []);
  Object.assign(result, {
    tools,
    ...(result.resultType === undefined ? {} : { ttlMs: 0, cacheScope: "private" }),
  });
};
