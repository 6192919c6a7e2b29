// LangChain itself, with its own fake of a chat model: its messages carry programs that run against a real server.
import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTools } from "../../../src/surfaces/frameworks/langchain.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";
import { type Step, steps } from "./programs.js";

let fixture: OpenFixture;
let tools: DynamicStructuredTool[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.coordinator.listTools();
  tools = await createTools(fixture.coordinator, { callTool: true });
});
afterAll(() => fixture.close());

/** A model asks for the step, the tool that it names answers with a message, and the model reads it. */
const drive = async ({ name, given }: Step, signal?: AbortSignal): Promise<ToolMessage> => {
  const model = fakeModel()
    .respondWithTools([{ id: "call-1", name, args: given }])
    .respond(new AIMessage("done"));
  const bound = model.bindTools(tools);
  const question = new HumanMessage("go");
  const asked = await bound.invoke([question]);
  const [call] = asked.tool_calls ?? [];
  const tool = tools.find((one) => one.name === call?.name);
  if (tool === undefined || call === undefined) throw new Error("the model asked for nothing that is there");
  const message: ToolMessage = await tool.invoke(call, signal === undefined ? {} : { signal });
  expect((await bound.invoke([question, asked, message])).content).toBe("done");
  return message;
};

describe("createTools() for LangChain", () => {
  it("provides tools with the same descriptions as over MCP", () => {
    expect(tools.map(({ name }) => name)).toEqual(["run_code", "search_tools", "call_tool"]);
    expect(tools[0]?.description).toContain("echo.add({ a: number; b: number })");
  });

  it("answers a model's calls with messages, and the whole answer as an artifact", async () => {
    expect((await drive(steps.search)).content).toContain('import { add } from "servers/echo"');
    const message = await drive(steps.program);
    expect(message).toMatchObject({ content: '{"sum":42}', status: "success", tool_call_id: "call-1" });
    expect(message.artifact).toMatchObject({ content: [{ type: "text", text: '{"sum":42}' }] });
    expect((await drive(steps.call)).content).toBe('{"sum":3}');
    expect(fixture.log()).toContain("call add");
  });

  it("answers a plain call with the text", async () => {
    expect(await tools[0]?.invoke({ code: "return 1 + 1" })).toBe("2");
  });

  it("reports a mistake as a message with status error", async () => {
    const message = await drive(steps.mistake);
    expect(message).toMatchObject({ status: "error", name: "run_code", tool_call_id: "call-1" });
    expect(message.content).toContain("PROGRAM_INVALID");
  });

  it("passes images on", async () => {
    expect((await drive(steps.image)).content).toEqual(
      expect.arrayContaining([{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }]),
    );
  });

  it("cancels the run when its signal fires", async () => {
    const controller = new AbortController();
    const going = drive(steps.wait, controller.signal).catch((error: Error) => error.name);
    await expect.poll(() => fixture.log()).toContain("call slow");
    controller.abort();
    await going;
    await expect.poll(() => fixture.log()).toContain("cancelled slow");
  });
});
