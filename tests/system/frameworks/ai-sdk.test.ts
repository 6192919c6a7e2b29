// The AI SDK itself, with its own mock of a model: its tool loop runs programs against a real server.
import { generateText, isStepCount, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTools } from "../../../src/surfaces/frameworks/ai-sdk.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";
import { type Step, steps } from "./programs.js";

type Result = Extract<ConstructorParameters<typeof MockLanguageModelV4>[0], object>["doGenerate"];

let fixture: OpenFixture;
let tools: ToolSet = {};

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.coordinator.listTools();
  tools = await createTools(fixture.coordinator);
});
afterAll(() => fixture.close());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that takes these steps one after the other, and then says that it is done. */
const toModel = (taken: readonly Step[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: [
      ...taken.map(({ name, given }, at) => ({
        content: [
          { type: "tool-call", toolCallId: `call-${at}`, toolName: name, input: JSON.stringify(given) },
        ],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ] as unknown as NonNullable<Result>,
  });

const drive = async (taken: readonly Step[], own = tools) => {
  const model = toModel(taken);
  const { text } = await generateText({ model, tools: own, prompt: "go", stopWhen: isStepCount(10) });
  const last = model.doGenerateCalls.at(-1)?.prompt ?? [];
  const outputs = last.flatMap(({ role, content }) =>
    role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])) : [],
  );
  return { text, outputs, offered: model.doGenerateCalls[0]?.tools ?? [] };
};

describe("createTools() for the AI SDK", () => {
  it("lets its loop search and run a program, and shows the model the same as over MCP", async () => {
    const { text, outputs, offered } = await drive([steps.search, steps.program]);
    expect(text).toBe("done");
    expect(offered.map(({ name }) => name)).toEqual(["run_code", "search_tools"]);
    expect(JSON.stringify(offered)).toContain("echo.add({ a: number; b: number })");
    expect(outputs).toEqual([
      { type: "text", value: expect.stringContaining('import { add } from "servers/echo"') },
      { type: "text", value: '{"sum":42}' },
    ]);
    expect(fixture.log()).toContain("call add");
  });

  it("reports a mistake as an error that the model reads, and continues", async () => {
    const { text, outputs } = await drive([steps.mistake, steps.odd]);
    expect(text).toBe("done");
    expect(outputs).toEqual([
      { type: "error-text", value: expect.stringContaining("PROGRAM_INVALID") },
      { type: "error-text", value: 'Argument "code" is a number, expected a string' },
    ]);
  });

  it("passes images on", async () => {
    const { outputs } = await drive([steps.image]);
    expect(outputs).toMatchObject([
      {
        type: "content",
        value: expect.arrayContaining([
          expect.objectContaining({ type: "text", text: expect.stringContaining("drawn") }),
          expect.objectContaining({ type: "file", mediaType: "image/png" }),
        ]),
      },
    ]);
  });

  it("asks people a run's questions if it is given a function for it, and shows them to the model otherwise", async () => {
    const asking = { name: "run_code", given: { code: 'return await ask("Which colour?")' } };
    const own = await createTools(fixture.coordinator, { onQuestion: async () => ({ answer: "blue" }) });
    expect((await drive([asking], own)).outputs).toEqual([{ type: "text", value: "blue" }]);
    const { outputs } = await drive([asking]);
    expect(JSON.stringify(outputs)).toContain("waits for an answer: Which colour?");
  });

  it("offers call_tool on request", async () => {
    const own = await createTools(fixture.coordinator, { callTool: true });
    const { outputs } = await drive([steps.call], own);
    expect(outputs).toEqual([{ type: "text", value: '{"sum":3}' }]);
  });

  it("cancels the run when the loop is aborted", async () => {
    const controller = new AbortController();
    const going = generateText({
      model: toModel([steps.wait]),
      tools,
      prompt: "go",
      stopWhen: isStepCount(2),
      abortSignal: controller.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(() => fixture.log()).toContain("call slow");
    controller.abort();
    await going;
    await expect.poll(() => fixture.log()).toContain("cancelled slow");
  });
});
