// A declared branch that a server also flags as an error is not part of the result.
import { describe, expect, it } from "vitest";
import { dropFailures } from "../../../../src/catalog/index.js";
import { learnShape } from "../../../../src/catalog/shapes/learn-shape.js";

const branch = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});
const success = branch({ ok: { const: true }, items: { type: "array" } });
const failure = branch({ ok: { const: false }, error: { type: "string" } });
const learn = (value: object) => learnShape(undefined, { value, isCut: false });

describe("dropFailures()", () => {
  it("drops the branch of the answers that came with an error", () => {
    const failed = learn({ ok: false, error: "quota" });
    expect(dropFailures({ type: "object", anyOf: [success, failure] }, failed)).toEqual({
      type: "object",
      anyOf: [success],
    });
    const shared = {
      type: "object",
      oneOf: [success, { $ref: "#/$defs/Failure" }],
      $defs: { Failure: failure },
    };
    expect(dropFailures(shared, failed)).toEqual({ ...shared, oneOf: [success] });
  });

  it("does not change a schema without such a branch, or with no other branch", () => {
    const failed = learn({ ok: false, error: "quota" });
    for (const schema of [success, { anyOf: [failure] }, { anyOf: [success, branch({ ok: {} })] }])
      expect(dropFailures(schema, failed)).toEqual(schema);
  });
});
