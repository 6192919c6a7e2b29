// Registered functions: their schemas as JSON Schema, and their validation.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HostTool, StandardSchema } from "../../../../src/contracts/index.js";
import { prepareTools } from "../../../../src/upstream/in-process/prepare-tools.js";

const prepare = async (tool: HostTool) => {
  const { listing, functions } = await prepareTools("own", { tool });
  const [listed] = listing.tools;
  const call = functions.get("tool");
  if (listed === undefined || call === undefined) throw new Error("nothing was prepared");
  return { listed, call };
};

const run = (): number => 1;

describe("prepareTools()", () => {
  it("lists a tool without input as one without arguments", async () => {
    const { listed, call } = await prepare({ run });
    expect(listed).toEqual({
      name: "tool",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
    });
    await expect(call.validate({ x: 1 })).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
  });

  it("lists both sides of a schema: the input it accepts and the output it produces", async () => {
    const filled = z.object({ a: z.string().default("x") });
    const { listed, call } = await prepare({ input: filled, output: filled, run });
    expect(listed.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "string", default: "x" } },
    });
    expect(listed.outputSchema).toMatchObject({ required: ["a"] });
    expect(await call.validate({})).toEqual({ a: "x" });
    expect(await call.validateAnswer?.({ a: "y", secret: 1 })).toEqual({ a: "y" });
  });

  it("names the path of an invalid value", async () => {
    const input = z.object({ rows: z.array(z.object({ n: z.number() })) });
    const { call } = await prepare({ input, run });
    await expect(call.validate({ rows: [{ n: 1 }, { n: "2" }] })).rejects.toThrow(
      /^Cannot call "own\.tool": "rows\.1\.n": /,
    );
  });

  it("validates a plain JSON Schema in full, including patterns and formats", async () => {
    const input = {
      type: "object",
      properties: {
        mail: { type: "string", format: "email" },
        code: { type: "string", pattern: "^[A-Z]+$" },
      },
    };
    const { call } = await prepare({ input, run });
    expect(await call.validate({ mail: "a@b.org", code: "AB" })).toEqual({ mail: "a@b.org", code: "AB" });
    await expect(call.validate({ mail: "nobody" })).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
    await expect(call.validate({ code: "ab" })).rejects.toThrow("code");
  });

  it("ignores later changes to a JSON Schema", async () => {
    const input = { type: "object", properties: { a: { type: "string" } } };
    const { listed } = await prepare({ input, run });
    input.properties.a.type = "number";
    expect(listed.inputSchema).toMatchObject({ properties: { a: { type: "string" } } });
  });

  it("accepts a schema of a zod version that does not export JSON Schema itself", async () => {
    const input = z.object({ a: z.string().default("x") });
    Object.defineProperty(input, "~standard", { value: { ...input["~standard"], jsonSchema: undefined } });
    const { listed, call } = await prepare({ input, run });
    expect(listed.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "string", default: "x" } },
    });
    expect(await call.validate({})).toEqual({ a: "x" });
  });

  it("accepts a schema of any library that exports JSON Schema, and refuses others", async () => {
    const own = (jsonSchema?: StandardSchema["~standard"]["jsonSchema"]): StandardSchema => ({
      "~standard": {
        version: 1,
        vendor: "tiny",
        validate: (value) => ({ value }),
        ...(jsonSchema === undefined ? {} : { jsonSchema }),
      },
    });
    const toSchema = () => ({ type: "object", properties: { z: {} } });
    const { listed } = await prepare({ input: own({ input: toSchema, output: toSchema }), run });
    expect(listed.inputSchema).toEqual({ type: "object", properties: { z: {} } });
    await expect(prepare({ input: own(), run })).rejects.toMatchObject({
      code: "TOOLS_INVALID",
      message: 'Cannot use the input of "own.tool": its library, "tiny", does not export JSON Schema',
    });
  });
});
