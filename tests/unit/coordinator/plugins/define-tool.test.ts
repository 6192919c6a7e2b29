// The types that defineTool infers: this file is a test because it compiles.
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool, toolResult } from "../../../../src/index.js";

it("defineTool() types the arguments by the input schema and the answer by the output schema", () => {
  const tools = [
    defineTool({
      input: z.object({ n: z.string().transform(Number) }),
      output: z.object({ doubled: z.number() }),
      run: ({ n }) => ({ doubled: n * 2 }),
    }),
    // @ts-expect-error The answer is not what the output says.
    defineTool({ input: z.object({}), output: z.object({ n: z.number() }), run: () => ({ n: "1" }) }),
    // @ts-expect-error There is no such argument.
    defineTool({ input: z.object({ a: z.string() }), run: ({ b }) => b }),
    defineTool({
      input: z.object({}),
      output: z.object({ n: z.number() }),
      run: () => toolResult({ content: [] }),
    }),
    defineTool({ input: { type: "object" }, run: ({ id }: { id: number }) => id }),
    defineTool({ run: async (_given, { signal }) => signal.aborted }),
  ];
  expect(tools.every(({ run }) => typeof run === "function")).toBe(true);
});

it("defineTool() returns the same object", () => {
  const tool = { run: () => 1 };
  expect(defineTool(tool)).toBe(tool);
});
