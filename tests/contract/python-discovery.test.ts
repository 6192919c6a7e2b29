// Discovery and fetch from Python, in the ways that programs of this and other systems write them.
import { describe, expect, it } from "vitest";
import type { GuestCall, GuestOutcome } from "../../src/contracts/index.js";
import { defaultLimits, discoveryNames, discoveryServer, workspaceNames } from "../../src/contracts/index.js";
import { openPythonSubjects } from "./python-run.js";

const lines = (...text: string[]): string => text.join("\n");
const networkServer = "\u0000network";

const programs: readonly (readonly [
  title: string,
  code: string,
  value: unknown,
  asked: readonly string[],
])[] = [
  ["a call", 'list_tools("github")', ["list_tools", ["github"]], ["list_tools"]],
  ["an awaited call", 'await list_tools("github")', ["list_tools", ["github"]], ["list_tools"]],
  [
    "keyword arguments",
    'search_tools("x", limit=2)',
    ["search_tools", ["x", { limit: 2 }]],
    ["search_tools"],
  ],
  [
    "concurrent calls",
    'import asyncio\nawait asyncio.gather(list_servers(), describe_tool("a.b"))',
    [
      ["list_servers", []],
      ["describe_tool", ["a.b"]],
    ],
    ["list_servers", "describe_tool"],
  ],
  [
    "the module runtime",
    'runtime.query_tool_docs("github", tool=None, detail="full")',
    ["query_tool_docs", ["github", { tool: null, detail: "full" }]],
    ["query_tool_docs"],
  ],
  [
    "runtime under the import path of a similar system",
    "from mcp import runtime as one\nimport mcp.runtime\nfrom mcp_tools import runtime as two\n[one is two, mcp.runtime is one, one.capability_summary()]",
    [true, true, ["capability_summary", []]],
    ["capability_summary"],
  ],
  [
    "the servers by name, and the number of them",
    "[mcp_servers['my-files'].__class__.__name__, len(mcp_servers), next(iter(mcp_servers)), mcp_servers.get('x') is mcp_servers['x']]",
    ["Server", 2, "list_servers", true],
    ["list_servers"],
  ],
  [
    "the coordinator under the import path of a similar system",
    "from mcp_coordinator import Coordinator\nwith Coordinator('~/none.json') as one:\n    found = [one.generate_tools(), one.ensure_tools_exist(), one.list_tools('a'), one.get_tool_schema('a', 'b'), one.discover_servers(True)]\n[*found, one.close()]",
    [2, true, ["list_tools", ["a"]], ["get_tool_schema", ["a", "b"]], ["discover_servers", []], null],
    ["list_tools", "list_tools", "list_tools", "get_tool_schema", "discover_servers"],
  ],
  [
    "functions from the library",
    "from mcp_tools import get_tool_schema, list_servers\n[get_tool_schema('a', 'b'), list_servers()]",
    [
      ["get_tool_schema", ["a", "b"]],
      ["list_servers", []],
    ],
    ["get_tool_schema", "list_servers"],
  ],
  [
    "synchronous variants in async code, requested once and unaffected by the program",
    lines(
      "import asyncio",
      "async def main():",
      '    first = runtime.list_tools_sync("a")',
      "    first.clear()",
      '    return [runtime.list_tools_sync("a"), runtime.list_tools_sync("b"), discovered_servers(), discovered_servers()]',
      "await main()",
    ),
    [
      ["list_tools", ["a"]],
      ["list_tools", ["b"]],
      ["discovered_servers", []],
      ["discovered_servers", []],
    ],
    ["list_tools", "list_tools", "discovered_servers"],
  ],
  [
    "plain values that are awaited",
    "[await runtime.list_servers_sync(), await capability_summary()]",
    [
      ["list_servers", []],
      ["capability_summary", []],
    ],
    ["list_servers", "capability_summary"],
  ],
  [
    "an error that can be caught under both of its names",
    lines(
      "caught = []",
      "try:",
      '    list_tools("fail")',
      "except runtime.MCPError as error:",
      "    caught.append(error.code)",
      "try:",
      '    list_tools_sync("fail")',
      "except ToolError as error:",
      "    caught.append(str(error))",
      "caught",
    ),
    ["SERVER_UNKNOWN", "there is none"],
    ["list_tools", "list_tools"],
  ],
];

const fetches: readonly (readonly [title: string, code: string, value: unknown])[] = [
  [
    "in ordinary code",
    'r = fetch("https://x/")\n[r.status, r.ok, r.headers.get("Content-Type"), "content-type" in r.headers, r.text(), r.json()["n"]]',
    [200, true, "application/json", true, '{"n":1}', 1],
  ],
  [
    "with await everywhere",
    'r = await fetch("https://x/")\n[r.status, await r.text(), (await r.json())["n"]]',
    [200, '{"n":1}', 1],
  ],
  [
    "without await in async code",
    'import asyncio\nawait asyncio.sleep(0)\nr = fetch("https://x/")\n[r.status, r.json()["n"]]',
    [200, 1],
  ],
  [
    "concurrently",
    'import asyncio\nrs = await asyncio.gather(fetch("https://x/1"), fetch("https://x/2"))\n[r.url for r in rs]',
    ["https://x/1", "https://x/2"],
  ],
  [
    "with a JSON body, and with options in a dictionary",
    'fetch("https://x/", method="PUT", json={"a": 1})\nfetch("https://x/", {"method": "POST", "headers": {"A": 1}, "body": b"raw"}).ok',
    true,
  ],
  [
    "and reports a refusal as an error",
    'try:\n    fetch("https://denied/")\nexcept ToolError as error:\n    found = error.code\nfound',
    "NETWORK_DENIED",
  ],
  [
    "and can return the response itself",
    'fetch("https://x/")',
    expect.objectContaining({ status: 200, ok: true, body: '{"n":1}' }),
  ],
];

for (const { name, executor, reason } of await openPythonSubjects()) {
  describe.skipIf(reason !== undefined)(
    `discovery and fetch in ${name}${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    () => {
      const run = async (code: string) => {
        const calls: GuestCall[] = [];
        const outcome = await executor.run({
          language: "python",
          code,
          files: [],
          globals: {
            fetch: networkServer,
            ...Object.fromEntries(discoveryNames.python.map((one) => [one, discoveryServer])),
          },
          host: {
            call: async (call) => {
              calls.push(call);
              const values = JSON.parse(call.argumentsJson) as unknown[];
              const failed = (code: string) =>
                ({ status: "failed", name: "ToolError", code, message: "there is none" }) as const;
              if (values[0] === "fail") return failed("SERVER_UNKNOWN");
              if (values[0] === "https://denied/") return failed("NETWORK_DENIED");
              const headers = { "content-type": "application/json" };
              const value =
                call.server === networkServer
                  ? { status: 200, url: values[0], headers, body: '{"n":1}' }
                  : [call.tool, values];
              return { status: "answered", format: "json", body: JSON.stringify(value) };
            },
          },
          limits: defaultLimits,
        });
        return { value: readValue(outcome), calls };
      };

      it.each(programs.map(([title, code, value, asked]) => ({ title, code, value, asked })))(
        "works with $title",
        async ({ code, value, asked }) => {
          const { value: found, calls } = await run(code);

          expect(found).toEqual(value);
          expect(calls.map(({ server, tool }) => [server, tool])).toEqual(
            asked.map((tool) => [discoveryServer, tool]),
          );
        },
      );

      it("has every documented function, and no others in runtime", async () => {
        const { value } = await run(
          "[sorted(n for n in dir(runtime) if not n.startswith('_')), sorted(n for n in globals() if n.endswith(('s', 'sync')) and callable(globals()[n]) and type(globals()[n]).__name__ == 'DiscoveryFunction')]",
        );
        const functions = discoveryNames.python
          .filter((one) => one !== "runtime" && one !== "mcp_servers")
          .sort();
        const memoryNames = workspaceNames.python.filter((one) => /_memor|memory_/.test(one));

        expect((value as string[][])[0]).toEqual(
          [...functions, ...memoryNames, "MCPError", "call_tool", "save_tool"].sort(),
        );
        expect((value as string[][])[1]).toEqual(functions.filter((one) => /(?:s|sync)$/.test(one)));
      });

      it.each(fetches.map(([title, code, value]) => ({ title, code, value })))(
        "fetches $title",
        async ({ code, value }) => {
          expect((await run(code)).value).toEqual(value);
        },
      );

      it("passes a request as text", async () => {
        const { calls } = await run('fetch("https://x/", method="PUT", json={"a": 1}, headers={"X-Y": 2})');

        expect(JSON.parse(calls[0]?.argumentsJson ?? "")).toEqual([
          "https://x/",
          { method: "PUT", headers: { "x-y": "2", "content-type": "application/json" }, body: '{"a": 1}' },
        ]);
      });
    },
  );
}

const readValue = (outcome: GuestOutcome): unknown =>
  outcome.status === "completed"
    ? JSON.parse(outcome.valueJson ?? "null")
    : outcome.status === "failed"
      ? `${outcome.failure.name}: ${outcome.failure.message}`
      : outcome.reason;
