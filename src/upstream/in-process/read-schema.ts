// Reads a schema given in code: as JSON Schema for the catalog, and as a validator of values.
import {
  CoordinatorError,
  type JsonSchema,
  type StandardSchema,
  type ToolSchema,
} from "../../contracts/index.js";

/** The schema's output value, or the problem. */
export type Checked =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: string };

export interface ReadSchema {
  readonly schema: Exclude<JsonSchema, boolean>;
  readonly check: (value: unknown) => Promise<Checked>;
}

const maxProblems = 3;

const isStandard = (schema: ToolSchema): schema is StandardSchema =>
  typeof (schema as { readonly "~standard"?: unknown })["~standard"] === "object";

/** Reads a schema. `what` names it in messages: `the input of "orders.find"`. */
export const readSchema = async (
  given: ToolSchema,
  side: "input" | "output",
  what: string,
): Promise<ReadSchema> => {
  if (!isStandard(given)) {
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw refuse(what, "it is no schema");
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
    throw refuse(what, "it is no JSON");
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
