// The OpenAI Agents SDK itself, with our own model: its runner runs programs against a real server.
import {
  Agent,
  type FunctionTool,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  Usage,
} from "@openai/agents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTools } from "../../../src/surfaces/frameworks/openai-agents.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";
import { type Step, steps } from "./programs.js";

let fixture: OpenFixture;
let tools: FunctionTool[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.coordinator.listTools();
  tools = await createTools(fixture.coordinator, { callTool: true });
});
afterAll(() => fixture.close());

/** Takes these steps one after the other, and then says that it is done. */
const toModel = (taken: readonly Step[]): Model & { readonly requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  return {
    requests,
    getResponse: async (request): Promise<ModelResponse> => {
      const step = taken[requests.push(request) - 1];
      return {
        usage: new Usage(),
        output: [
          step === undefined
            ? {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: "done" }],
              }
            : {
                type: "function_call",
                callId: `call-${requests.length}`,
                name: step.name,
                arguments: JSON.stringify(step.given),
                status: "completed",
              },
        ],
      };
    },
    async *getStreamedResponse() {
      yield* [];
    },
  };
};

const drive = async (taken: readonly Step[], signal?: AbortSignal) => {
  const model = toModel(taken);
  const agent = new Agent({ name: "tester", model, tools });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(
    agent,
    "go",
    signal === undefined ? {} : { signal },
  );
  const input = model.requests.at(-1)?.input ?? [];
  const outputs = (Array.isArray(input) ? input : []).flatMap((item) =>
    item.type === "function_call_result" ? [item.output] : [],
  );
  return { finalOutput, outputs, offered: model.requests[0]?.tools ?? [] };
};

describe("createTools() for the OpenAI Agents SDK", () => {
  it("lets its runner search, run a program and call a tool", async () => {
    const { finalOutput, outputs, offered } = await drive([steps.search, steps.program, steps.call]);
    expect(finalOutput).toBe("done");
    expect(offered.map((tool) => ("name" in tool ? tool.name : ""))).toEqual([
      "run_code",
      "search_tools",
      "call_tool",
    ]);
    expect(JSON.stringify(offered)).toContain("echo.add({ a: number; b: number })");
    expect(outputs).toMatchObject([
      { type: "text", text: expect.stringContaining('import { add } from "servers/echo"') },
      { type: "text", text: '{"sum":42}' },
      { type: "text", text: '{"sum":3}' },
    ]);
    expect(fixture.log()).toContain("call add");
  });

  it("reports a mistake as text that the model reads, and continues", async () => {
    const { finalOutput, outputs } = await drive([steps.mistake, steps.odd]);
    expect(finalOutput).toBe("done");
    expect(outputs).toMatchObject([
      { type: "text", text: expect.stringContaining("PROGRAM_INVALID") },
      { type: "text", text: 'Argument "code" is a number, expected a string' },
    ]);
  });

  it("passes images on", async () => {
    const { outputs } = await drive([steps.image]);
    expect(JSON.stringify(outputs)).toContain("data:image/png;base64,iVBORw0KGgo=");
  });

  it("cancels the run when the runner is aborted", async () => {
    const controller = new AbortController();
    const going = drive([steps.wait], controller.signal).catch((error: Error) => error.name);
    await expect.poll(() => fixture.log()).toContain("call slow");
    controller.abort();
    await going;
    await expect.poll(() => fixture.log()).toContain("cancelled slow");
  });
});
