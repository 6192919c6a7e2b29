// What a server offers beside its tools, as tools: `resources.read`, `resources.list`, `resources.templates`, `prompts.<name>`, `complete`.
// Programs, checks, search, approvals and the journal then treat it like every other call.
import {
  type JsonSchema,
  type ListedPrompt,
  type ListedTool,
  type Listing,
  type OfferedMethod,
  toVisibleText,
} from "../contracts/index.js";

export interface OfferedTool extends ListedTool {
  readonly method: OfferedMethod;
}

const text = { type: "string" } as const;
const list = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: "array",
  items: { type: "object", properties, required: [...required] },
});
const noArguments: JsonSchema = { type: "object", properties: {} };
/** The protocol has no operation here that changes something. */
const annotations = { readOnlyHint: true, idempotentHint: true } as const;
const maxShown = 5;

const quoteSome = (names: readonly string[]): string => {
  const shown = names.slice(0, maxShown).map((name) => toVisibleText(JSON.stringify(name.slice(0, 120))));
  return `${shown.join(", ")}${names.length > maxShown ? ` and ${names.length - maxShown} more` : ""}`;
};

const toWatching = (uri: JsonSchema): OfferedTool => ({
  name: "resources.watch",
  method: "resources/watch",
  description:
    'Waits until a resource changes. The first call, without "after", returns at once; pass the "version" that it returned as "after" to wait for the next change. "changed" is empty if nothing changed within "timeoutMs".',
  inputSchema: {
    type: "object",
    properties: {
      uri,
      after: { type: "integer", minimum: 0, description: "The version that is known already" },
      timeoutMs: { type: "integer", minimum: 1, description: "By default it waits until the run ends" },
    },
    required: ["uri"],
  },
  outputSchema: {
    type: "object",
    properties: {
      version: { type: "integer" },
      changed: {
        type: "array",
        items: text,
        description: "The address, or addresses below it",
      },
      isUncertain: {
        type: "boolean",
        description: "Nobody listened for a while, so it may have changed",
      },
    },
    required: ["version", "changed"],
  },
  annotations,
});

/** The parameters of a template as placeholders: "file:///<path>". */
const toExample = (address: string): string =>
  address.replace(/\{[^{}]{0,100}\}/g, (part) => `<${part.slice(1, -1)}>`);

const offerResources = ({ resources, resourceTemplates, canWatch }: Listing): readonly OfferedTool[] => {
  if (resources.length + resourceTemplates.length === 0) return [];
  const addresses = [
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ];
  const examples = addresses.slice(0, 1).map(toExample);
  const uri = { ...text, description: "The address of the resource", examples };
  return [
    {
      name: "resources.read",
      method: "resources/read",
      description: `Reads a resource by its address, such as ${quoteSome(addresses)}. Text is in "text", anything else in "blob" (base64).`,
      inputSchema: {
        type: "object",
        properties: { uri },
        required: ["uri"],
      },
      outputSchema: list({ uri: text, mimeType: text, text, blob: text }, ["uri"]),
      annotations,
    },
    {
      name: "resources.list",
      method: "resources/list",
      description: "Lists the server's resources with their addresses.",
      inputSchema: noArguments,
      outputSchema: list({ uri: text, name: text, description: text, mimeType: text }, ["uri", "name"]),
      annotations,
    },
    ...(resourceTemplates.length === 0
      ? []
      : [
          {
            name: "resources.templates",
            method: "resources/templates/list",
            description: "Lists the templates of the addresses of the server's resources.",
            inputSchema: noArguments,
            outputSchema: list({ uriTemplate: text, name: text, description: text }, ["uriTemplate", "name"]),
            annotations,
          } as const,
        ]),
    ...(canWatch === true ? [toWatching(uri)] : []),
  ];
};

const offerPrompt = ({ name, description, arguments: given = [] }: ListedPrompt): OfferedTool => ({
  name: `prompts.${name}`,
  method: "prompts/get",
  description: `Gets the prompt ${toVisibleText(JSON.stringify(name))}${description === undefined ? "" : `: ${description}`}`,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(given.map((one) => [one.name, { ...text, description: one.description }])),
    required: given.filter(({ required }) => required === true).map((one) => one.name),
  },
  outputSchema: {
    type: "object",
    properties: {
      description: text,
      messages: list({ role: text, content: { type: "object", properties: { type: text, text } } }, [
        "role",
        "content",
      ]),
    },
    required: ["messages"],
  },
  annotations,
});

const offerCompletion = ({ prompts, resourceTemplates }: Listing): readonly OfferedTool[] =>
  resourceTemplates.length === 0 && prompts.every(({ arguments: given = [] }) => given.length === 0)
    ? []
    : [
        {
          name: "complete",
          method: "completion/complete",
          description: "Completes the value of an argument of a prompt or of a resource template.",
          inputSchema: {
            type: "object",
            properties: {
              prompt: { ...text, description: "The prompt, or:" },
              template: { ...text, description: "The resource template" },
              argument: text,
              value: { ...text, description: "The text so far" },
              known: { type: "object", description: "Other arguments that are known already" },
            },
            required: ["argument", "value"],
          },
          outputSchema: {
            type: "object",
            properties: {
              values: { type: "array", items: text },
              total: { type: "number" },
              hasMore: { type: "boolean" },
            },
            required: ["values"],
          },
          annotations,
        },
      ];

/** A server's own tool of the same name takes precedence. */
export const listOffered = (listing: Listing): readonly OfferedTool[] => {
  const own = new Set(listing.tools.map(({ name }) => name));
  const prompts = listing.prompts.map(offerPrompt);
  return [...offerResources(listing), ...prompts, ...offerCompletion(listing)].filter(
    ({ name }) => !own.has(name),
  );
};
