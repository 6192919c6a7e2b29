// Images of tools reach a model as images, never as Base64 text or as JSON under an image's name.
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeMedia } from "../../src/coordinator/presenting/render-artifacts.js";
import { callSurfaceTool } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

let fixture: OpenFixture;
beforeAll(async () => {
  fixture = await openFixture({ draws: { command: process.execPath, args: [fixturePath("draws")] } });
});
afterAll(() => fixture.close());

type Content = { type: string; text?: string; data?: string; mimeType?: string }[];

const run = async (code: string): Promise<Content> => {
  const { signal } = new AbortController();
  const answer = await callSurfaceTool(fixture.coordinator, {
    name: "run_code",
    arguments: { code },
    signal,
  });
  return (answer as { content: Content }).content;
};

it.each([
  ["a tool's whole answer", "return await draws.draw({})"],
  ["an image inside an object", "return { chart: (await draws.draw({}))[0], title: 'sales' }"],
])("%s that a program returns reaches the model as an image", async (_name, code) => {
  const content = await run(code);
  const images = content.filter(({ type }) => type === "image");
  expect(images).toHaveLength(1);
  expect(images[0]?.mimeType).toBe("image/png");
  expect(
    Buffer.from(images[0]?.data ?? "", "base64")
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(JSON.stringify(content.filter(({ type }) => type === "text"))).not.toContain("iVBOR");
});

it.each([
  ["typescript", 'await artifact("x.png", await draws.draw({}))'],
  ["python", 'artifact("x.png", draws.draw())'],
] as const)("artifact() with a tool's image keeps its bytes, in %s", async (language, code) => {
  const result = await fixture.run(code, { language, output: "json" });
  expect(result.error).toBeUndefined();
  expect(result.artifacts).toMatchObject([{ name: "x.png", mimeType: "image/png" }]);
  const data = Buffer.from(result.shown?.images[0]?.data ?? "", "base64");
  expect(data.subarray(1, 4).toString()).toBe("PNG");
});

it.each([
  ["JSON", "{ a: 1 }"],
  ["text", '"no image"'],
])("artifact() refuses %s under the name of an image", async (kind, data) => {
  const { error } = await fixture.run(`await artifact("x.png", ${data})`);
  expect(error).toMatchObject({
    code: "ARGUMENTS_INVALID",
    message: expect.stringContaining(`its content is ${kind}`),
  });
});

it("images beyond the limit of a model are named, and not shown as text", () => {
  const image = { type: "image", data: "A".repeat(100), mimeType: "image/png" };
  const { value, images } = takeMedia(Array.from({ length: 7 }, () => image));
  expect(images).toHaveLength(5);
  expect(JSON.stringify(value)).not.toContain("AAAA");
  expect(JSON.stringify(value)).toContain("75 bytes, not shown");
});
