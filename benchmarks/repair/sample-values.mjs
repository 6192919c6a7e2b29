// Values that fit a JSON Schema, so that programs made from real tools are right before one mistake is put into them.

const resolve = (root, schema) => {
  let found = schema;
  for (let hops = 0; hops < 20 && typeof found?.$ref === "string"; hops++) {
    if (!found.$ref.startsWith("#")) return {};
    found = found.$ref
      .split("/")
      .slice(1)
      .reduce((value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  }
  return found ?? {};
};

const texts = {
  uri: "https://example.com/a",
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  email: "a@example.com",
};

const sampleText = (schema) => {
  const text = texts[schema.format] ?? "sample";
  const longer = text.padEnd(schema.minLength ?? 0, "x");
  return schema.maxLength === undefined
    ? longer
    : longer.slice(0, Math.max(schema.maxLength, schema.minLength ?? 0));
};

const sampleNumber = (schema) => {
  const least =
    schema.minimum ?? (typeof schema.exclusiveMinimum === "number" ? schema.exclusiveMinimum + 1 : 1);
  return schema.maximum !== undefined && least > schema.maximum ? schema.maximum : Math.ceil(least);
};

/** A value of the schema; `optional` is the number of optional fields. */
export const sampleValue = (root, wanted, optional = 0, depth = 0) => {
  const schema = resolve(root, wanted);
  if (depth > 8) return null;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  const branch =
    schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? (schema.type === undefined ? schema.allOf?.[0] : undefined);
  if (branch !== undefined && schema.properties === undefined)
    return sampleValue(root, branch, optional, depth + 1);
  switch ([schema.type].flat()[0]) {
    case "string":
      return sampleText(schema);
    case "number":
    case "integer":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const items = Array.isArray(schema.items) ? schema.items[0] : schema.items;
      const count = Math.max(schema.minItems ?? 1, 1);
      return Array.from({ length: count }, () => sampleValue(root, items ?? {}, 0, depth + 1));
    }
    default:
      return schema.properties === undefined && schema.type !== "object"
        ? "sample"
        : sampleObject(root, schema, optional, depth);
  }
};

const sampleObject = (root, schema, optional, depth) => {
  const required = new Set(schema.required ?? []);
  let left = optional;
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (!required.has(name) && left-- <= 0) return [];
    return [[name, sampleValue(root, field, 0, depth + 1)]];
  });
  return Object.fromEntries(entries);
};

/** Paths into a declared result that can be read without checks: `["items", "0", "id"]`. */
export const listResultPaths = (root, wanted, depth = 0) => {
  const schema = resolve(root, wanted);
  if (depth > 3 || schema.anyOf || schema.oneOf || schema.allOf) return [];
  if (schema.type === "array" && !Array.isArray(schema.items))
    return listResultPaths(root, schema.items ?? {}, depth + 1).map((path) => ["0", ...path]);
  if (
    schema.properties === undefined ||
    schema.additionalProperties === true ||
    typeof schema.additionalProperties === "object"
  )
    return [];
  return Object.entries(schema.properties).flatMap(([name, field]) => [
    [name],
    ...listResultPaths(root, field, depth + 1).map((path) => [name, ...path]),
  ]);
};
