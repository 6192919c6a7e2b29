// A result schema that takes every object as it is: the SDK's own would copy large answers and refuse odd ones.
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

export type AnyResult = Readonly<Record<string, unknown>>;

export const anyResult: StandardSchemaV1<unknown, AnyResult> = {
  "~standard": {
    version: 1,
    vendor: "mcp-coordinator",
    validate: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { value: value as AnyResult }
        : { issues: [{ message: "not an object" }] },
  },
};
