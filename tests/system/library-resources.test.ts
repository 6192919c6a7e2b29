// The library over MCP: resources, templates, prompts and completion, read by the official clients of both SDK lines.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { type OpenServe, openServe, transports } from "../support/transports.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
let folder: string;
let config: string;

const launch = (file: string) => ({
  command: process.execPath,
  args: [bin, "serve", "--config", file],
  env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
  stderr: "pipe" as const,
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-resources-"));
  const server = (log: string) => ({
    command: process.execPath,
    args: [fixturePath("echo"), "--log", join(folder, log)],
    env: { TOKEN: "${SECRET_OF_MINE:-s3cret-value}" },
  });
  config = join(folder, "mcp.json");
  mkdirSync(join(folder, "library/servers/echo"), { recursive: true });
  writeFileSync(join(folder, "library/servers/echo/twice.ts"), "export const twice = 2;\n");
  writeFileSync(
    config,
    JSON.stringify({
      mcpServers: {
        echo: { ...server("echo.log"), description: "Hears itself" },
        // Asked in the background by every long-running server: this one never answers, so it stays unknown.
        "never-used": { command: process.execPath, args: [fixturePath("hangs-at-start")] },
        "read-first": server("read-first.log"),
        off: { ...server("off.log"), disabled: true },
      },
      coordinator: { libraryFolder: "library" },
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type AnyClient = Pick<
  Client,
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
  | "listPrompts"
  | "getPrompt"
  | "complete"
  | "close"
  | "getServerCapabilities"
>;

const textOf = (messages: readonly { readonly content: unknown }[]): string =>
  messages.map(({ content }) => (content as { readonly text: string }).text).join("");

const connectModern = async (
  open: OpenServe,
  options: ConstructorParameters<typeof Client>[1],
): Promise<AnyClient> => {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(open.toTransport());
  return client;
};
const connectLegacy = async (open: OpenServe): Promise<AnyClient> => {
  const client = new LegacyClient({ name: "test", version: "1" });
  await client.connect(open.toLegacyTransport());
  return client as unknown as AnyClient;
};

const clients: readonly (readonly [string, (open: OpenServe) => Promise<AnyClient>])[] = [
  [
    "v2, modern protocol",
    (open) => connectModern(open, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
  ],
  ["v2, legacy protocol", (open) => connectModern(open, {})],
  ["v1", connectLegacy],
];

describe.each(
  transports.flatMap((transport) =>
    clients.map(([name, connect]) => [`${name}, over ${transport}`, connect, transport] as const),
  ),
)("the library, read by the client %s", (name, connect, transport) => {
  let client: AnyClient;
  let open: OpenServe;
  beforeAll(async () => {
    const env = { ...launch(config).env, XDG_STATE_HOME: join(folder, `state ${name}`) };
    open = await openServe(transport, { config, env });
    client = await connect(open);
  });
  afterAll(async () => {
    await client.close();
    await open.close();
  });

  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri });
    return (contents[0] as { text: string }).text;
  };

  it("declares resources, prompts and completions", () => {
    expect(client.getServerCapabilities()).toMatchObject({ resources: {}, prompts: {}, completions: {} });
  });

  it("lists a page for each enabled server, the indexes and the manuals", async () => {
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();

    expect(resources.map(({ uri }) => uri)).toEqual([
      "library://manual/typescript",
      "library://manual/python",
      "library://servers/README.md",
      "library://mcp_tools/README.md",
      "library://servers/echo/README.md",
      "library://servers/neverUsed/README.md",
      "library://servers/readFirst/README.md",
    ]);
    expect(resources[4]?.description).toContain("Hears itself");
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "library://servers/{server}",
      "library://servers/{server}/{tool}.ts",
      "library://mcp_tools/{server}",
      "library://mcp_tools/{server}/{tool}.py",
      "library://manual/{language}",
    ]);
    for (const { uri } of resources.slice(0, 4)) expect((await read(uri)).length).toBeGreaterThan(50);
  });

  it("reads a server's page, its tools and its adapters", async () => {
    const page = await read("library://servers/echo");

    expect(page).toContain("- [`add`](add.ts): Adds two numbers.");
    expect(page).toContain("`servers/echo/twice`");
    expect(await read("library://servers/echo/README.md")).toBe(page);
    expect(await read("library://servers/echo/add.ts")).toContain("export type AddResult");
    expect(await read("library://mcp_tools/echo/add.py")).toContain("def add(");
    expect(await read("library://servers/echo/twice.ts")).toBe("export const twice = 2;\n");
    expect(await read("library://servers/README.md")).toContain("[`echo`](echo/README.md): echo, 15 tools");
    expect(await read("library://servers/README.md")).toContain("never-used, not listed yet");
  });

  it("finds a tool by its original name and a server by its configured name", async () => {
    expect(await read("library://servers/echo/get-schema.ts")).toContain("function getSchema");
    expect(await read("library://servers/echo/get.schema.ts")).toContain("function getSchema2");
    expect(await read("library://servers/read-first")).toContain('# Server "read-first"');
  });

  it.each([
    ["library://servers/ecko/add.ts", /"ecko".*"echo"/],
    ["library://servers/echo/structuredd.ts", /"structured"/],
    ["library://servers/echo/../../mcp.json", /no such file/],
    ["library://servers/echo/..%2F..%2Fmcp.json", /no such tool/],
    ["library://elsewhere", /no such file/],
    ["file:///etc/passwd", /no such file/],
    ["library://%zz", /no such file/],
  ])("refuses %s as an unknown resource and suggests the nearest", async (uri, message) => {
    const failure = await client.readResource({ uri }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    expect(String((failure as Error).message)).not.toContain(folder);
  });

  it("completes the names of servers, tools and languages", async () => {
    const complete = async (uri: string, name: string, value: string, known?: Record<string, string>) =>
      (
        await client.complete({
          ref: { type: "ref/resource", uri },
          argument: { name, value },
          ...(known === undefined ? {} : { context: { arguments: known } }),
        })
      ).completion;
    await read("library://servers/echo/add.ts");
    const tool = "library://servers/{server}/{tool}.ts";

    expect((await complete(tool, "server", "")).values).toEqual(["echo", "neverUsed", "readFirst"]);
    expect((await complete(tool, "server", "used")).values).toEqual(["neverUsed"]);
    expect((await complete(tool, "tool", "e", { server: "echo" })).values.slice(0, 3)).toEqual([
      "echo",
      "env",
      "environment",
    ]);
    expect(
      (await complete("library://mcp_tools/{server}/{tool}.py", "tool", "get", { server: "echo" })).values,
    ).toEqual(["getSchema", "get_schema2"]);
    expect(await complete(tool, "tool", "", { server: "nobody" })).toMatchObject({ values: [], total: 0 });
    expect(await complete(tool, "tool", "", { server: "never-used" })).toMatchObject({ values: [] });
    expect((await complete("library://manual/{language}", "language", "p")).values).toEqual([
      "python",
      "typescript",
    ]);
  });

  it("offers a guide that knows this person's servers", async () => {
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({
      name: "usage-guide",
      arguments: { task: "Add 2 and 40", server: "echo" },
    });
    const text = textOf(messages);
    const named = await client.complete({
      ref: { type: "ref/prompt", name: "usage-guide" },
      argument: { name: "server", value: "ec" },
    });

    expect(prompts.map(({ name }) => name)).toEqual(["usage-guide", "add-servers"]);
    expect(messages[0]?.role).toBe("user");
    expect(text).toContain("run_code");
    expect(text).toContain("- `add`: Adds two numbers.");
    expect(text).toMatch(/Add 2 and 40\n$/);
    expect(named.completion.values).toEqual(["echo"]);
  });

  it("guides an AI through adding servers, with references to variables, and reveals nothing about the host", async () => {
    const { messages } = await client.getPrompt({ name: "add-servers", arguments: { service: "GitHub" } });
    const text = textOf(messages);

    expect(text).toContain("`off`: disabled");
    expect(text).toMatch(/Never ask me for a password, token or key/);
    expect(text).toContain('"Bearer ${EXAMPLE_TOKEN}"');
    expect(text).not.toContain("s3cret-value");
    expect(text).not.toContain(folder);
    expect(text).not.toContain(process.execPath);
  });

  it.each([
    ["usage-gide", {}, /usage-guide/],
    ["usage-guide", { tsk: "x" }, /no argument "tsk"/],
    ["usage-guide", { language: "cobol" }, /expected "typescript" or "python"/],
    ["usage-guide", { server: "ecko" }, /"echo"/],
  ])("refuses the prompt %s with %j", async (name, given, message) => {
    await expect(client.getPrompt({ name, arguments: given as Record<string, string> })).rejects.toThrow(
      message,
    );
  });
});

describe("listResources()", () => {
  it("starts no server, and reading the indexes does not either", async () => {
    const fixture = await openFixture();
    const { resources } = await fixture.coordinator.listResources();
    const indexes = resources.filter(({ uri }) => uri.split("/").length === 4);
    for (const { uri } of indexes) await fixture.coordinator.readResource({ uri });
    const log = fixture.log();
    await fixture.close();

    expect(indexes).toHaveLength(4);
    expect(log).toEqual([]);
  });

  it("lists many servers in pages of a hundred", async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`server${at}`, { command: "no-such-command" }]),
    );
    const fixture = await openFixture(servers);
    const uris: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await fixture.coordinator.listResources(cursor === "" ? {} : { cursor });
      sizes.push(page.resources.length);
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    }
    const wrong = await fixture.coordinator.listResources({ cursor: "x" }).catch((error: unknown) => error);
    await fixture.close();

    expect(sizes).toEqual([100, 100, 55]);
    expect(new Set(uris).size).toBe(255);
    expect(wrong).toMatchObject({ code: "USAGE" });
  });
});

describe("readResource()", () => {
  let fixture: OpenFixture;
  beforeAll(async () => {
    fixture = await openFixture({ offers: { command: process.execPath, args: [fixturePath("offers-all")] } });
  });
  afterAll(() => fixture.close());

  it.each(["typescript", "python"] as const)(
    "returns every file of %s byte for byte as generate writes it",
    async (language) => {
      const tree = join(fixture.folder, language);
      await fixture.coordinator.generateLibrary({ folder: tree, language });
      const top = language === "python" ? "mcp_tools" : "servers";
      const ending = language === "python" ? "py" : "ts";
      const tools = (await fixture.coordinator.listTools({ server: "echo" })).map(
        (tool) => tool.functionName,
      );
      const files = ["README.md", language === "python" ? "__init__.py" : "index.ts", `add.${ending}`];
      if (language === "typescript") files.push(...tools.map((name) => `${name}.ts`));
      const paths = [
        ...files.map((file) => `${top}/echo/${file}`),
        `${top}/README.md`,
        `${top}/offers/one.${ending}`,
      ];

      for (const path of paths) {
        const { text, mimeType } = await fixture.coordinator.readResource({ uri: `library://${path}` });
        expect(text, path).toBe(readFileSync(join(tree, path), "utf8"));
        expect(mimeType).toBe(path.endsWith(".md") ? "text/markdown" : `text/x-${language}`);
      }
    },
  );

  it("says why a server's page cannot be read", async () => {
    const broken = await openFixture({
      broken: { command: process.execPath, args: [fixturePath("crashes-at-start")] },
    });
    const error = await broken.coordinator
      .readResource({ uri: "library://servers/broken" })
      .catch((thrown: unknown) => thrown);
    await broken.close();

    expect(error).toMatchObject({ code: "UPSTREAM_UNREACHABLE" });
  });
});

describe("generateLibrary()", () => {
  it("writes nothing if nothing changed, everything if forced, and renders only what changed", async () => {
    const fixture = await openFixture();
    const tree = join(fixture.folder, "library");
    const generate = (isForced = false) => fixture.coordinator.generateLibrary({ folder: tree, isForced });
    const first = await generate();
    const second = await generate();
    writeFileSync(
      join(tree, "servers/echo/add.ts"),
      `${readFileSync(join(tree, "servers/echo/add.ts"), "utf8")}// changed\n`,
    );
    const mended = await generate();
    rmSync(join(tree, "servers/echo/env.ts"));
    const restored = await generate();
    const forced = await generate(true);
    await fixture.close();

    const total = first.written;
    expect(second).toMatchObject({ written: 0, unchanged: total, removed: 0 });
    expect(second.fallbacks).toEqual(first.fallbacks);
    expect(mended).toMatchObject({ written: 1, unchanged: total - 1 });
    expect(restored).toMatchObject({ written: 1, unchanged: total - 1 });
    expect(forced).toMatchObject({ written: total, unchanged: 0 });
  });

  it("reports a hand-written file with a generated name each time, and keeps it", async () => {
    const fixture = await openFixture();
    const tree = join(fixture.folder, "library");
    mkdirSync(join(tree, "servers/echo"), { recursive: true });
    writeFileSync(join(tree, "servers/echo/add.ts"), "export const add = 1;\n");
    const results = [];
    for (const isForced of [false, false, true])
      results.push(await fixture.coordinator.generateLibrary({ folder: tree, isForced }));
    const text = readFileSync(join(tree, "servers/echo/add.ts"), "utf8");
    await fixture.close();

    expect(results.map(({ kept }) => kept)).toEqual(Array(3).fill(["servers/echo/add.ts"]));
    expect(text).toBe("export const add = 1;\n");
  });

  it.each(["typescript", "python"] as const)(
    "runs for a missing library folder after a run in %s, and starts no other server",
    async (language) => {
      const tree = mkdtempSync(join(tmpdir(), "coordinator-tree-"));
      const fixture = await openFixture(
        {
          other: { command: process.execPath, args: [fixturePath("echo"), "--log", join(tree, "other.log")] },
        },
        { libraryFolder: tree },
      );
      const file = join(tree, language === "python" ? "mcp_tools/echo/add.py" : "servers/echo/add.ts");
      await fixture.run(language === "python" ? "echo.pid()" : "await echo.pid()", { language });
      await fixture.coordinator.close();
      const isWritten = existsSync(file);
      const isOtherStarted = existsSync(join(tree, "other.log"));
      await fixture.close();
      rmSync(tree, { recursive: true, force: true });

      expect(isWritten).toBe(true);
      expect(isOtherStarted).toBe(false);
    },
  );
});
