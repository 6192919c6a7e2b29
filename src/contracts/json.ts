// JSON values and JSON Schema, as they cross modules and sandboxes.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema of any draft, as the server wrote it: untrusted, never executed. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
