// The modules that programs import, really loaded.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeLibraryModule, writeServersModule, writeToolModule } from "../../../../src/codegen/index.js";
import type { LibraryFile, Tool } from "../../../../src/contracts/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { toCatalog } from "../catalogs.js";

const names = [
  "get-schema",
  "get.schema",
  "1st",
  "class",
  "create_issue",
  "then",
  "default",
  "toJSON",
  "server",
  "tool0",
  "*/\n\u2028\"'`${x}\\",
  "获取",
  "🎉",
  "",
  "\ud800",
  "__proto__",
];

const catalog = toCatalog(
  'my "shop"\u2028',
  names.map((name) => ({ name, inputSchema: { type: "object" } })),
);

/** As a guest has it: every property is a function that answers which one it is, except the two that are hidden. */
const guestServers = new Proxy(
  {},
  {
    get: (_servers, server) =>
      new Proxy(
        {},
        { get: (_server, tool) => (tool === "then" || tool === "toJSON" ? undefined : () => [server, tool]) },
      ),
  },
);

beforeEach(() => {
  Object.assign(globalThis, { servers: guestServers });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "servers");
});

const load = async ({ path, source }: LibraryFile): Promise<Readonly<Record<string, unknown>>> => {
  const file = join(await temporaryFolder(), `${path.replaceAll(/[^\w/]/g, "_")}.mjs`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, source);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
};

const call = (found: unknown): unknown => (typeof found === "function" ? found() : undefined);

/** A guest finds a tool by its name on the wire, or, where that is hidden, by its function name. */
const toAnswer = (tool: Tool): readonly unknown[] => [
  catalog.server,
  tool.name === "then" || tool.name === "toJSON" ? tool.functionName : tool.name,
];

describe("writeLibraryModule()", () => {
  it("exports every tool under its function name, whatever its server calls it", async () => {
    const library = await load(writeLibraryModule({ catalog, names: "all" }));
    for (const tool of catalog.tools) expect(call(library[tool.functionName])).toEqual(toAnswer(tool));
  });

  it("also exports every tool under its server's spelling, if a module can", async () => {
    const library = await load(writeLibraryModule({ catalog, names: "all" }));
    const impossible = new Set(["then", "default", "\ud800"]);
    for (const tool of catalog.tools.filter(({ name }) => !impossible.has(name))) {
      expect(call(library[tool.name])).toEqual(toAnswer(tool));
    }
    expect(Object.hasOwn(library, "then")).toBe(false);
  });

  it("exports only the requested names, in the requested spelling", async () => {
    const asked = ["createIssue", "Create-Issue", "nothing"];
    const library = await load(writeLibraryModule({ catalog, names: asked }));
    expect(Object.keys(library).sort()).toEqual(["Create-Issue", "createIssue", "create_issue", "default"]);
  });

  it("has the server's identifier as its path and the server as its default", async () => {
    const file = writeLibraryModule({ catalog: { ...catalog, identifier: "myShop" }, names: [] });
    expect(file.path).toBe("servers/myShop");
    const server = (await load(file)).default as Readonly<Record<string, unknown>>;
    expect(call(server.anything)).toEqual([catalog.server, "anything"]);
  });
});

describe("writeToolModule()", () => {
  it("exports one tool under its names and as default", async () => {
    const tool = catalog.find("get-schema");
    if (tool === undefined) throw new Error("The tool is missing");
    const file = writeToolModule({ catalog: { ...catalog, identifier: "myShop" }, tool });
    expect(file.path).toBe("servers/myShop/getSchema");
    const library = await load(file);
    expect(Object.keys(library).sort()).toEqual(["default", "get-schema", "getSchema"]);
    expect(call(library.default)).toEqual([catalog.server, "get-schema"]);
  });

  it("writes a loadable module for every tool", async () => {
    for (const tool of catalog.tools) {
      expect(call((await load(writeToolModule({ catalog, tool }))).default)).toEqual(toAnswer(tool));
    }
  });
});

it("writeServersModule() exports discovery functions and servers under the requested names", async () => {
  const { path, source } = writeServersModule({
    names: ["listTools", "github", "odd-name", "default", "github"],
    functions: ["listTools"],
  });
  const servers = { "\u0000discovery": { listTools: "looks" }, github: "one", "odd-name": "two" };
  Object.assign(globalThis, { servers });
  const module = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`
  )) as object;
  Reflect.deleteProperty(globalThis, "servers");

  expect(path).toBe("servers");
  expect({ ...module }).toEqual({ default: servers, github: "one", listTools: "looks", "odd-name": "two" });
});
