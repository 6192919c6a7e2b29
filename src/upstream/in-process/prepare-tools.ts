// Prepares functions registered in code: lists them like a server's tools, reads their schemas and adds validation.
import {
  CoordinatorError,
  type HostFunction,
  type HostTool,
  type InProcessTarget,
  type JsonSchema,
  type ListedTool,
  type StandardSchema,
  type ToolSchema,
} from "../../contracts/index.js";

const noArguments = { type: "object", properties: {}, additionalProperties: false } as const;

/** A name that is safe in a message, a file and a journal. */
const toolName = /^[^\p{C}\s]{1,128}$/u;

/** Prepares the tools. Throws TOOLS_INVALID for a tool that cannot work. */
export const prepareTools = async (
  server: string,
  tools: Readonly<Record<string, HostTool>>,
): Promise<InProcessTarget> => {
  const entries = await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => prepareTool(server, name, tool)),
  );
  return {
    kind: "in-process",
    listing: {
      server,
      tools: entries.map(({ listed }) => listed),
      resources: [],
      resourceTemplates: [],
      prompts: [],
    },
    functions: new Map(entries.map(({ listed, call }) => [listed.name, call])),
  };
};

const prepareTool = async (
  server: string,
  name: string,
  tool: HostTool,
): Promise<{ readonly listed: ListedTool; readonly call: HostFunction }> => {
  const full = `${server}.${name}`;
  if (!toolName.test(name))
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot register the tool ${JSON.stringify(full.slice(0, 200))}: its name has spaces or cannot be shown, or is longer than 128 characters`,
    );
  if (typeof tool !== "object" || tool === null || typeof tool.run !== "function")
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot register the tool "${full}": it has no function "run"`,
    );
  const { title, description, annotations, timeoutMs } = tool;
  const input = await readSchema(tool.input ?? noArguments, "input", `the input of "${full}"`);
  if (input.schema.type !== undefined && input.schema.type !== "object")
    throw new CoordinatorError(
      "TOOLS_INVALID",
      `Cannot use the input of "${full}": its type is ${JSON.stringify(input.schema.type)}, expected "object"`,
    );
  const output =
    tool.output === undefined
      ? undefined
      : await readSchema(tool.output, "output", `the output of "${full}"`);
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...input.schema, type: "object" },
      outputSchema: output?.schema,
      annotations,
    },
    call: {
      timeoutMs,
      run: tool.run as HostFunction["run"],
      validate: async (given) => {
        const checked = await input.check(given);
        if (checked.problem === undefined) return checked.value;
        throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${full}": ${checked.problem}`);
      },
      validateAnswer:
        output === undefined
          ? undefined
          : async (answer) => {
              const checked = await output.check(answer);
              if (checked.problem === undefined) return checked.value;
              throw new CoordinatorError(
                "RESULT_INVALID",
                `Cannot take the answer of "${full}": it is not what its output says: ${checked.problem}`,
              );
            },
    },
  };
};

/** The schema's output value, or the problem. */
type Checked = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string };

interface ReadSchema {
  readonly schema: Exclude<JsonSchema, boolean>;
  readonly check: (value: unknown) => Promise<Checked>;
}

const maxProblems = 3;

const isStandard = (schema: ToolSchema): schema is StandardSchema =>
  typeof (schema as { readonly "~standard"?: unknown })["~standard"] === "object";

/** Reads a schema. `what` names it in messages: `the input of "orders.find"`. */
const readSchema = async (given: ToolSchema, side: "input" | "output", what: string): Promise<ReadSchema> => {
  if (!isStandard(given)) {
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw refuse(what, "it is not a schema");
    return { schema: copySchema(given, what), check: openCheck(given, what) };
  }
  const schema = await convert(given, side, what);
  return {
    schema: copySchema(schema, what),
    check: async (value) => {
      const outcome = await given["~standard"].validate(value);
      if (outcome.issues === undefined) return { value: outcome.value };
      return { problem: outcome.issues.slice(0, maxProblems).map(renderIssue).join("; ") };
    },
  };
};

const refuse = (what: string, state: string): CoordinatorError =>
  new CoordinatorError("TOOLS_INVALID", `Cannot use ${what}: ${state}`, {
    hint: "Use a JSON Schema object, or a library that exports JSON Schema, e.g. zod 4.",
  });

/** Copies the schema, so that later changes have no effect. Throws if it is not JSON. */
const copySchema = (schema: object, what: string): ReadSchema["schema"] => {
  try {
    const { $schema: _, ...copy } = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
    return copy;
  } catch {
    throw refuse(what, "it is not JSON");
  }
};

const convert = async (
  schema: StandardSchema,
  side: "input" | "output",
  what: string,
): Promise<Record<string, unknown>> => {
  const { vendor, jsonSchema } = schema["~standard"];
  try {
    if (jsonSchema !== undefined) return jsonSchema[side]({ target: "draft-2020-12" });
    // Early versions of zod 4 have a separate function for it.
    if ("_zod" in schema) {
      const { toJSONSchema } = await import("zod");
      return { ...toJSONSchema(schema as never, { io: side }) };
    }
  } catch (thrown) {
    throw refuse(what, thrown instanceof Error ? thrown.message : String(thrown));
  }
  throw refuse(what, `its library, "${vendor}", does not export JSON Schema`);
};

const renderIssue = ({
  message,
  path = [],
}: {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}): string => {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `"${keys.join(".")}": ${message}`;
};

/** The SDK's validator, loaded and compiled on first use of the tool. */
const openCheck = (schema: object, what: string): ReadSchema["check"] => {
  let compiled: Promise<(value: unknown) => Checked> | undefined;
  const compile = async () => {
    const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv");
    try {
      const validate = new AjvJsonSchemaValidator().getValidator(schema);
      return (value: unknown): Checked => {
        const { valid, errorMessage } = validate(value);
        return valid ? { value } : { problem: errorMessage ?? "it does not fit" };
      };
    } catch (thrown) {
      throw refuse(what, thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return async (value) => {
    compiled ??= compile();
    return (await compiled)(value);
  };
};
