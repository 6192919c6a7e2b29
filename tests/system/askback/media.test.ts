// Images, audio, resources and links from a server through a program to the client, in both languages; hostile names and sizes on the way.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachMedia, callSurfaceTool } from "../../../src/surfaces/mcp-server/agent-tools/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let fixture: OpenFixture;
beforeAll(async () => {
  fixture = await openFixture({ media: { command: process.execPath, args: [fixturePath("media")] } });
});
afterAll(() => fixture.close());

type Content = { type: string; text?: string; [field: string]: unknown }[];
const languages = ["typescript", "python"] as const;
const show = (language: (typeof languages)[number], ...kinds: readonly string[]): string =>
  language === "python"
    ? `return media.show(kinds=${JSON.stringify(kinds)})`
    : `return await media.show({ kinds: ${JSON.stringify(kinds)} })`;

/** What an MCP client receives. */
const run = async (code: string, language: string): Promise<Content> => {
  const answer = await callSurfaceTool(fixture.coordinator, {
    name: "run_code",
    arguments: { code, language },
    signal: new AbortController().signal,
  });
  return (attachMedia(answer) as { content: Content }).content;
};
const isText = ({ type }: { type: string }): boolean => type === "text";

describe.each(languages)("content that a %s program returns", (language) => {
  it("reaches the client as what it is: image, audio, binary resource and link", async () => {
    const content = await run(show(language, "image", "audio", "embedded", "link"), language);
    expect(content.filter((block) => !isText(block))).toMatchObject([
      { type: "image", mimeType: "image/png" },
      { type: "audio", mimeType: "audio/wav", data: "UklGRi4uLi5XQVZF" },
      {
        type: "resource",
        resource: { uri: "media://pdf", mimeType: "application/pdf", blob: "UklGRi4uLi5XQVZF" },
      },
      { type: "resource_link", uri: "media://pdf", name: "manual" },
    ]);
    const texts = JSON.stringify(content.filter(isText));
    expect(texts).not.toContain("UklGRi4uLi5XQVZF");
    expect(texts).toContain("12 bytes, attached");
  });

  it("is text if it is a resource of text", async () => {
    const content = await run(show(language, "text"), language);
    expect(content.every(isText)).toBe(true);
    expect(JSON.stringify(content)).toContain("a note");
  });

  it("is attached if it is what resources.read returned", async () => {
    const code = { typescript: "return await ", python: "return " }[language];
    const content = await run(`${code}media.resources.read("media://pdf")`, language);
    expect(content.filter((block) => !isText(block))).toMatchObject([
      { type: "resource", resource: { uri: "media://pdf", blob: "UklGRi4uLi5XQVZF" } },
    ]);
  });

  it("stays text if a client would refuse it", async () => {
    const content = await run(show(language, "broken", "hidden"), language);
    expect(content.every(isText)).toBe(true);
  });

  it("is attached up to five times", async () => {
    const content = await run(show(language, ...Array.from({ length: 8 }, () => "audio")), language);
    expect(content.filter(({ type }) => type === "audio")).toHaveLength(5);
    expect(JSON.stringify(content)).toContain("12 bytes, not shown");
  });

  it("is the whole result with raw", async () => {
    const code = {
      typescript: 'return Object.keys((await media.show.raw({ kinds: ["audio", "link"] })).content[0])',
      python: 'return list(media.show.raw(kinds=["audio", "link"])["content"][0])',
    }[language];
    expect((await fixture.run(code, { language })).value).toEqual(["type", "data", "mimeType"]);
  });

  it("is refused if a resource has 100 MB", async () => {
    const code = {
      typescript: 'return (await media.resources.read("media://size/100000000")).length',
      python: 'return len(media.resources.read("media://size/100000000"))',
    }[language];
    const { error } = await fixture.run(code, { language });
    expect(error?.code).toBe("LIMIT_ANSWER");
    expect((await fixture.run(show(language, "text"), { language })).error).toBeUndefined();
  });

  it("comes from prompts of any name", async () => {
    const names = ["__proto__", "constructor", "name", "call", "toString", "plain"];
    const code = {
      typescript: `const all = [];
for (const name of ${JSON.stringify(names)}) all.push((await media.prompts[name]({})).messages[0].content.text);
return all;`,
      python: `return [call_tool("media", "prompts." + name)["messages"][0]["content"]["text"] for name in ${JSON.stringify(names)}]`,
    }[language];
    const result = await fixture.run(code, { language });
    expect(result.error).toBeUndefined();
    expect(result.value).toEqual(names.map((name) => `prompt ${name}`));
  });
});

describe.each(languages)("null in the arguments of a %s program", (language) => {
  /** Created at run time: the check refuses a literal null. */
  const nothing = language === "python" ? '__import__("json").loads("null")' : 'JSON.parse("null")';
  const call = (fields: string): string =>
    language === "python"
      ? `given = {"kinds": ["x"], ${fields}}\nreturn media.show(given)`
      : `const given: any = { "kinds": ["x"], ${fields} }; return await media.show(given);`;

  it("leaves out an optional argument that does not accept it", async () => {
    const { value, error } = await fixture.run(call(`"note": ${nothing}`), { language });
    expect(error).toBeUndefined();
    expect(value).toEqual({ kinds: ["x"] });
  });

  it("is refused where it is written as an argument that does not accept it", async () => {
    const { error } = await fixture.run(call(`"note": ${language === "python" ? "None" : "null"}`), {
      language,
    });
    expect(error?.code).toBe("PROGRAM_INVALID");
  });

  it("is refused inside an object that does not accept it", async () => {
    const { error, calls } = await fixture.run(call(`"place": {"room": ${nothing}}`), { language });
    expect(error?.code).toMatch(/^(?:ARGUMENTS_INVALID|PROGRAM_INVALID)$/);
    expect(calls.filter(({ status }) => status === "answered")).toEqual([]);
  });

  it("is passed on where nothing is declared", async () => {
    const code =
      language === "python"
        ? 'return media.given({"a": None, "b": {"c": None}})'
        : "return await media.given({ a: null, b: { c: null } } as any)";
    expect((await fixture.run(code, { language })).value).toEqual({ a: null, b: { c: null } });
  });
});
