// Validates the `x-mcp-header` declarations of a tool. The specification forbids using a tool with an invalid one.
import type { JsonSchema } from "../contracts/index.js";

const annotation = "x-mcp-header";
/** A header name according to RFC 9110. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes: readonly unknown[] = ["string", "integer", "boolean"];
const deepest = 64;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

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
    if (!isFields(node) || depth > deepest) return undefined;
    if (Object.hasOwn(node, annotation)) {
      const fault = isProperty ? judge(node) : "it is not on a single argument";
      if (fault !== undefined) return fault;
    }
    for (const [key, value] of Object.entries(node)) {
      const isProperties = key === "properties" && isReached && isFields(value);
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
