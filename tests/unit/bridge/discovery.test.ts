// The discovery functions: how they bind their arguments and what they refuse.
import { describe, expect, it } from "vitest";
import { answerDiscovery, discoveryFunctions, moduleFunctions } from "../../../src/bridge/discovery.js";
import { bindArguments, validateArguments } from "../../../src/catalog/index.js";
import {
  type Discovery,
  discoveryNames,
  type Json,
  type ServerFacts,
  type ToolFacts,
} from "../../../src/contracts/index.js";

const server: ServerFacts = {
  name: "git-hub",
  identifier: "gitHub",
  transport: "stdio",
  status: "cached",
  toolCount: 1,
};
const tool: ToolFacts = {
  server: "git-hub",
  name: "create_issue",
  functionName: "createIssue",
  description: "Creates one",
  isReadOnly: false,
};
const details = { ...tool, identifier: "gitHub", inputSchema: { type: "object" } } as const;

const ask = async (name: string, ...values: Json[]): Promise<unknown> => {
  const asked: unknown[] = [];
  const note =
    <Answer>(what: string, answer: Answer) =>
    (...given: unknown[]): Promise<Answer> => {
      asked.push([what, ...given]);
      return Promise.resolve(answer);
    };
  const discovery: Discovery = {
    listServers: note("listServers", [
      server,
      { name: "new", identifier: "new", transport: "http", status: "unknown" },
    ]),
    listTools: note("listTools", [tool]),
    readTools: note("readTools", [details]),
    showServer: note("showServer", { ...server, tools: [tool] }),
    showTool: note("showTool", details),
    searchTools: note("searchTools", { hits: [{ tool, score: 1 }] }),
    readManual: note("readManual", "manual"),
  };
  const answer = await answerDiscovery({ discovery, bindArguments, validateArguments }, name, values);
  return { asked, answer: answer.status === "answered" ? JSON.parse(answer.body) : answer };
};

describe("answerDiscovery()", () => {
  it.each<[string, Json[], unknown]>([
    ["listTools", [], ["listTools", undefined]],
    ["listTools", ["git-hub"], ["listTools", "git-hub"]],
    ["listTools", [null], ["listTools", undefined]],
    ["listTools", [{ ...server } as Json], ["listTools", "git-hub"]],
    ["listTools", [{ server: "git-hub" }], ["listTools", "git-hub"]],
    ["describeTool", ["git-hub.create_issue"], ["showTool", "git-hub.create_issue", undefined]],
    ["describeTool", ["git-hub", "create_issue"], ["showTool", "git-hub", "create_issue"]],
    ["describeTool", [{ ...tool }], ["showTool", "git-hub", "create_issue"]],
    ["describe_server", [{ name: "git-hub" }], ["showServer", "git-hub"]],
    ["query_tool_docs", ["git-hub", { tool: "x", detail: "full" }], ["showTool", "git-hub", "x"]],
    [
      "searchTools",
      ["words", { limit: 3, server: "a" }],
      ["searchTools", { query: "words", limit: 3, server: "a" }],
    ],
    ["searchTools", [{ query: "words" }], ["searchTools", { query: "words" }]],
    ["search_tools", ["words", 500], ["searchTools", { query: "words", limit: 50 }]],
    ["search_tools", ["words", -5], ["searchTools", { query: "words", limit: 1 }]],
  ])("binds %s(%j)", async (name, values, asked) => {
    expect(await ask(name, ...values)).toMatchObject({ asked: [asked] });
  });

  it("returns names for Python functions, and details on request", async () => {
    expect(await ask("list_servers")).toMatchObject({ answer: ["git-hub", "new"] });
    expect(await ask("discovered_servers", true)).toMatchObject({ answer: [server, { name: "new" }] });
    expect(await ask("list_tools", "git-hub")).toMatchObject({ answer: ["createIssue"] });
    expect(await ask("list_tools")).toMatchObject({ answer: ["git-hub.createIssue"] });
    expect(await ask("list_tools", { detailed: true })).toMatchObject({ answer: [tool] });
  });

  it("starts no server to list loaded ones", async () => {
    expect(await ask("list_loaded_server_metadata")).toMatchObject({
      asked: [["listServers"], ["showServer", "git-hub"]],
      answer: [{ alias: "gitHub", cwd: null, tools: [{ name: "create_issue", alias: "createIssue" }] }],
    });
  });

  it.each<[string, Json[], RegExp]>([
    ["searchTools", [], /"query" is missing/],
    ["searchTools", [5], /"query" is a number, expected a string/],
    ["searchTools", ["x", { limt: 1 }], /unknown argument "limt", did you mean "limit"/],
    ["searchTools", ["x", { detail: "some" }], /"detail"/],
    ["listTools", ["x".repeat(501)], /501 characters/],
    ["describeServer", [], /"server" is missing/],
    ["listServers", ["x"], /Cannot call "listServers"/],
    ["nothing", [], /no such function/],
    ["constructor", [], /no such function/],
  ])("refuses %s(%j) with a clear message", async (name, values, message) => {
    await expect(ask(name, ...values)).rejects.toThrow(message);
  });

  it("has every function that programs have, and those of a server's module", () => {
    const promised = [...discoveryNames.typescript, ...discoveryNames.python]
      .filter((name) => name !== "runtime" && name !== "mcp_servers")
      .map((name) => name.replace(/_sync$/, ""));

    expect([...discoveryFunctions.keys()].sort()).toEqual([...new Set(promised)].sort());
    expect([...moduleFunctions].every((name) => discoveryFunctions.has(name))).toBe(true);
  });
});
