// The discovery functions reveal nothing about the host or about what the run may not use, and break nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const secret = "planted-7d21e0";
const command = process.execPath;
let fixture: OpenFixture;

beforeAll(async () => {
  process.env.PLANTED_SECRET = `host-${secret}`;
  fixture = await openFixture({
    keeper: {
      command,
      args: [fixturePath("echo"), `--token=${secret}`],
      env: { API_KEY: `env-${secret}` },
      description: "Keeps secrets",
    },
    missing: { command: `/opt/${secret}/server`, args: [`--key=${secret}`] },
    crashing: { command, args: [fixturePath("crashes-at-start"), secret], env: { KEY: secret } },
    remote: { url: `http://127.0.0.1:9/${secret}`, headers: { Authorization: `Bearer ${secret}` } },
  });
});
afterAll(async () => {
  delete process.env.PLANTED_SECRET;
  await fixture.close();
});

const names = ["echo", "keeper", "missing", "crashing", "remote"];
const questions = {
  typescript: `
    const seen = [];
    const ask = async (work) => { try { seen.push(await work()); } catch (error) { seen.push([error.name, error.code, error.message, error.stack]); } };
    await ask(() => listServers()); await ask(() => listTools()); await ask(() => capabilitySummary());
    await ask(() => searchTools("add numbers", { limit: 100, detail: "full" }));
    for (const name of ${JSON.stringify(names)}) {
      await ask(() => listTools(name)); await ask(() => describeServer(name)); await ask(() => describeTool(name, "add"));
      await ask(() => servers[name].listTools());
    }
    return seen;`,
  python: [
    "import traceback",
    "seen = []",
    "def ask(work):",
    "    try:",
    "        seen.append(work())",
    "    except Exception as error:",
    "        seen.append([str(error), getattr(error, 'code', ''), traceback.format_exc()])",
    "for work in (list_servers, list_tools, capability_summary, list_loaded_server_metadata):",
    "    ask(work)",
    "ask(lambda: list_servers(detailed=True))",
    "ask(lambda: search_tools('add numbers', limit=100, detail='full'))",
    `for name in ${JSON.stringify(names)}:`,
    "    for work in (list_tools, describe_server, query_tool_docs):",
    "        ask(lambda: work(name))",
    "    ask(lambda: describe_tool(name, 'add'))",
    "seen",
  ].join("\n"),
} as const;

describe.each(["typescript", "python"] as const)("a %s program that asks for everything", (language) => {
  it("finds no secret, path, command, URL or process of the host", async ({ skip }) => {
    const result = await fixture.run(questions[language], { language, isChecked: false });
    skip(result.error?.code === "LANGUAGE_UNAVAILABLE", result.error?.message);

    expect(result.status).toBe("completed");
    const text = JSON.stringify(result.value);
    expect(text).toContain("Keeps secrets");
    for (const hidden of [
      secret,
      fixture.folder,
      process.cwd(),
      process.execPath,
      fixturePath("echo"),
      "127.0.0.1",
    ])
      expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/"(?:target|source|processId|error|env|args|command|headers|url)":/);
  });
});

/** Each is tried as every argument; the program returns how often it got an answer. */
const hostile = {
  typescript: `
    const cycle = {}; cycle.self = cycle;
    const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
    const values = [
      cycle, deep, "x".repeat(3_000_000), "\\u0000discovery", "\\u0000network", "__proto__", "constructor", "../../etc", "", " ", -1, 0,
      NaN, 1e308, true, [], {}, [[]], Symbol.iterator, () => 1, 10n, new Map([["server", "echo"]]), new Date(NaN),
      { get server() { throw new Error("getter"); } }, { toJSON() { throw new Error("toJSON"); } },
      JSON.parse('{"__proto__": {"server": "echo"}}'), { server: { toString: () => "echo" } }, { name: 5 }, { name: "echo", server: 5 },
      new Proxy({}, { ownKeys() { throw new Error("trap"); } }), "echo." + "x".repeat(400), "\\ud800", "*", ".*",
    ];
    const functions = [listServers, listTools, describeServer, describeTool, getToolSchema, searchTools, capabilitySummary];
    let failed = 0;
    for (const value of values) for (const work of functions) for (const args of [[value], ["echo", value], ["add", { limit: value }]])
      try { await work(...args); } catch (error) { failed++; if (!(error instanceof Error)) throw "no error"; if (error.message.length > 5000) throw new Error("a long message"); }
    return failed > 100 && (await listTools("echo")).length;`,
  python: [
    "cycle = {}",
    "cycle['self'] = cycle",
    "deep = []",
    "for _ in range(5000): deep = [deep]",
    "class Odd:",
    "    def __getattr__(self, name): raise ValueError('odd')",
    "class Text(str):",
    "    def __str__(self): raise ValueError('text')",
    "values = [cycle, deep, 'x' * 3_000_000, '\\0discovery', '\\0network', '__proto__', '', ' ', -1, float('nan'), float('inf'), 10 ** 400,",
    "    True, None, [], {}, {1, 2}, b'\\xff', object(), Odd(), Text('echo'), lambda: 1, {'server': {'a': 1}}, {'name': 5}, {5: 6}, '\\ud800', open]",
    "functions = [list_servers, list_tools, describe_server, describe_tool, get_tool_schema, search_tools, query_tool_docs,",
    "    query_tool_docs_sync, search_tool_docs, list_tools_sync, discovered_servers, capability_summary]",
    "failed = 0",
    "for value in values:",
    "    for work in functions:",
    "        for args, fields in (((value,), {}), (('echo', value), {}), (('add',), {'limit': value})):",
    "            try:",
    "                work(*args, **fields)",
    "            except Exception as error:",
    "                failed += 1",
    "                assert len(str(error)) < 5000",
    "failed > 100 and len(list_tools('echo'))",
  ].join("\n"),
} as const;

describe.each(["typescript", "python"] as const)("hostile arguments from %s", (language) => {
  it("fail in the program and do not change the host", async ({ skip }) => {
    const result = await fixture.run(hostile[language], {
      language,
      isChecked: false,
      servers: ["echo"],
      limits: { timeoutMs: 50_000, cpuMs: 50_000, memoryMb: 512 },
    });
    skip(result.error?.code === "LANGUAGE_UNAVAILABLE", result.error?.message);

    expect(result.error).toBeUndefined();
    expect(result.value).toBe(15);
    expect(({} as Record<string, unknown>).server).toBeUndefined();
    expect((await fixture.run("return 1 + 1")).value).toBe(2);
  });
});
