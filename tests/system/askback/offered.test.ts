// Resources, prompts and completion of servers, in programs of both languages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openServe, transports } from "../../support/transports.js";

const open = async (...args: readonly string[]) => {
  const folder = await temporaryFolder();
  const coordinator = await openCoordinator({
    config: {
      mcpServers: { library: { command: process.execPath, args: [fixturePath("library"), ...args] } },
    },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

describe.each([[[]], [["--old"]]])("a server with resources and prompts %j", (args) => {
  it("is used in a TypeScript program like its tools", async () => {
    const coordinator = await open(...args);
    const code = `
const [rules] = await library.resources.read("library://rules");
const [logo] = await library.resources.read({ uri: "library://logo" });
const listed = await library.resources.list();
const templates = await library.resources.templates();
const review = await library.prompts.reviewBook({ title: "dune" });
const done = await library.complete({ prompt: "review-book", argument: "title", value: "d" });
const more = await library.complete({ template: "library://books/{title}", argument: "title", value: "e" });
return {
  rules: rules.text, logo: logo.blob, listed: listed.map(({ uri }) => uri), templates: templates.length,
  review: review.messages[0].content.text, done: done.values, more: more.values,
};`;
    const run = await coordinator.runCode({ code });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual({
      rules: "Be quiet.",
      logo: "iVBORw0KGgo=",
      listed: ["library://rules", "library://logo"],
      templates: 1,
      review: "Write a kind review of dune",
      done: ["dune"],
      more: ["emma"],
    });
    expect(run.calls.map(({ tool }) => tool)).toContain("prompts.review-book");
    const replayed = await coordinator.replayRun({
      cassette: await coordinator.exportRun({ runId: run.runId }),
    });
    expect(replayed.isSame).toBe(true);
  });

  it("is used in a Python program like its tools", async () => {
    const coordinator = await open(...args);
    const code = `
rules = library.resources.read("library://rules")[0]["text"]
uris = [one["uri"] for one in library.resources.list()]
review = library.prompts.review_book(title="emma", tone="short")["messages"][0]["content"]["text"]
return [rules, uris, review, library.complete(prompt="review-book", argument="title", value="u")["values"]]`;
    const run = await coordinator.runCode({ code, language: "python" });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual([
      "Be quiet.",
      ["library://rules", "library://logo"],
      "Write a short review of emma",
      ["ulysses"],
    ]);
  });
});

describe("the check of resources and prompts", () => {
  it.each([
    ["typescript", 'return await library.prompts.reviewBok({ title: "dune" })', "prompts.reviewBok"],
    ["python", 'return library.prompts.review_bok(title="dune")', "prompts.review_bok"],
    ["typescript", 'return await library.resources.reed("library://rules")', "resources.reed"],
  ] as const)("refuses an unknown name with the nearest one (%s: %s)", async (language, code, name) => {
    const coordinator = await open();
    const { error, calls } = await coordinator.runCode({ code, language });
    expect(error).toMatchObject({ code: "PROGRAM_INVALID", message: expect.stringContaining(name) });
    expect(error?.message).toContain("did you mean");
    expect(calls).toEqual([]);
  });

  it.each([
    ["typescript", 'return await library.prompts.reviewBook({ titel: "dune" })'],
    ["python", 'return library.prompts.review_book(titel="dune")'],
  ] as const)("refuses an unknown argument of a prompt (%s)", async (language, code) => {
    const coordinator = await open();
    const { error, calls } = await coordinator.runCode({ code, language });
    expect(error?.code).toBe("PROGRAM_INVALID");
    expect(calls).toEqual([]);
  });

  it("knows the types of the results", async () => {
    const coordinator = await open();
    const code = 'const [rules] = await library.resources.read("library://rules"); return rules.txt;';
    const { error, warnings } = await coordinator.runCode({ code });
    expect(JSON.stringify([error, warnings])).toContain("txt");
  });
});

describe("resources and prompts", () => {
  it("leave tools of the same names as they are", async () => {
    const coordinator = await open("--clash");
    const code = `return [
  await library.resources({}), await library.prompts({}), await library.complete({}),
  (await library.resources.read("library://rules"))[0].text,
  (await library.prompts.reviewBook({ title: "dune" })).messages.length,
];`;
    const run = await coordinator.runCode({ code });
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual([
      "the tool resources",
      "the tool prompts",
      "the tool complete",
      "Be quiet.",
      1,
    ]);
    const python = await coordinator.runCode({
      code: 'return [library.resources(), library.resources.read("library://rules")[0]["text"]]',
      language: "python",
    });
    expect(python.error).toBeUndefined();
    expect(python.value).toEqual(["the tool resources", "Be quiet."]);
  });

  it("are never confused with a tool of the same or a similar name", async () => {
    const coordinator = await open("--clash");
    const complete = { argument: "title", value: "d" };
    for (const request of [
      { prompt: "library__review-book", complete },
      { prompt: "library__" },
      { resource: "server://library/library://books/{title}", complete },
    ])
      await expect(coordinator.readOffered(request)).rejects.toMatchObject({
        code: expect.stringMatching(/_UNKNOWN$/),
      });
  });

  it("are shown with their server", async () => {
    const coordinator = await open();
    const { tools, resources, resourceTemplates, prompts } = await coordinator.showServer({
      server: "library",
    });
    expect(tools.map(({ name }) => name)).toEqual(["borrow"]);
    expect(resources.map(({ uri }) => uri)).toEqual(["library://rules", "library://logo"]);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["library://books/{title}"]);
    expect(prompts.map(({ name }) => name)).toEqual(["review-book"]);
  });

  it("are members of an imported server", async () => {
    const coordinator = await open();
    const code = `import library from "servers/library";
const { messages } = await library.prompts["review-book"]({ title: "dune" });
return [(await library.resources.list()).length, messages.length];`;
    expect((await coordinator.runCode({ code })).value).toEqual([2, 1]);
  });

  it("are found by search with a call that runs, and need approval by name", async () => {
    const coordinator = await open();
    const { hits } = await coordinator.searchTools({ query: ["review a book"], detail: "full" });
    expect(hits[0]).toMatchObject({ tool: { name: "prompts.review-book" } });
    const paused = await coordinator.runCode({
      code: 'return await library.resources.read("library://rules")',
      approve: ["library.resources.*"],
    });
    expect(paused.question?.calls).toEqual([
      { server: "library", tool: "resources.read", arguments: { uri: "library://rules" } },
    ]);
  });

  it("report what the server says about an unknown URI", async () => {
    const coordinator = await open();
    const { error } = await coordinator.runCode({
      code: 'return await library.resources.read("library://none")',
    });
    expect(error?.code).toBe("UPSTREAM_FAILED");
  });
});

describe("a client of the coordinator", () => {
  it.each(transports)("lists and reads the resources and prompts of servers over %s", async (transport) => {
    const folder = await temporaryFolder();
    const config = join(folder, "mcp.json");
    const servers = { library: { command: process.execPath, args: [fixturePath("library")] } };
    writeFileSync(
      config,
      JSON.stringify({ mcpServers: servers, coordinator: { cacheFolder: join(folder, "cache") } }),
    );
    const server = await openServe(transport, {
      config,
      env: { PATH: process.env.PATH ?? "", HOME: folder },
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(server.toTransport());
    onTestFinished(async () => {
      await client.close();
      await server.close();
    });
    // Listing starts no server: what is known is listed.
    await client.callTool({ name: "run_code", arguments: { code: 'return await library.borrow("dune")' } });
    const { resources } = await client.listResources();
    const address = "server://library/library://rules";
    expect(resources.find(({ uri }) => uri === address)).toMatchObject({ name: "library/rules" });
    expect(await client.readResource({ uri: address })).toMatchObject({
      contents: [{ uri: "library://rules", text: "Be quiet." }],
    });
    expect(await client.readResource({ uri: "server://library/library://logo" })).toMatchObject({
      contents: [{ mimeType: "image/png", blob: "iVBORw0KGgo=" }],
    });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "server://library/library://books/{title}",
    );
    expect(await client.readResource({ uri: "server://library/library://books/emma" })).toMatchObject({
      contents: [{ text: "The text of emma" }],
    });
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === "library__review-book")).toMatchObject({
      arguments: [{ name: "title", required: true }, { name: "tone" }],
    });
    const prompt = { name: "library__review-book", arguments: { title: "dune" } };
    expect(await client.getPrompt(prompt)).toMatchObject({
      messages: [{ content: { text: "Write a kind review of dune" } }],
    });
    expect(
      await client.complete({
        ref: { type: "ref/prompt", name: "library__review-book" },
        argument: { name: "title", value: "u" },
      }),
    ).toMatchObject({ completion: { values: ["ulysses"] } });
    await expect(client.readResource({ uri: "server://library/library://none" })).rejects.toThrow();
    await expect(client.readResource({ uri: "server://nobody/x://y" })).rejects.toThrow("SERVER_UNKNOWN");
  });
});
