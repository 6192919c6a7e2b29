// The bridge: validation, permissions and limits of a call.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type BridgeOptions, measureText, openBridge } from "../../../src/bridge/index.js";
import { CoordinatorError, defaultLimits, type Tool } from "../../../src/contracts/index.js";

const tool: Tool = {
  server: "github",
  name: "create_issue",
  functionName: "createIssue",
  description: "",
  inputSchema: { type: "object" },
  isReadOnly: false,
  isDestructive: false,
  fingerprint: "f",
};
const never = new AbortController().signal;
const guestCall = (argumentsJson = "[{}]") => ({
  server: "github",
  tool: "createIssue",
  argumentsJson,
  isRaw: false,
});

const unasked = async (): Promise<never> => {
  throw new Error("nothing was to be asked");
};
const emptyDiscovery: BridgeOptions["discovery"] = {
  listServers: unasked,
  listTools: unasked,
  readTools: unasked,
  showServer: unasked,
  showTool: unasked,
  searchTools: unasked,
  readManual: unasked,
};

const open = (over: Partial<BridgeOptions> = {}) => {
  const made: unknown[] = [];
  const bridge = openBridge({
    findTool: async () => tool,
    bindArguments: (_tool, values) => (values[0] ?? {}) as Record<string, never>,
    validateArguments: () => {},
    callTool: async (_tool, value) => {
      made.push(value);
      return { structuredContent: { ok: true } };
    },
    checkTool: () => {},
    limits: defaultLimits,
    allowedHosts: [],
    fetchTimeoutMs: 1000,
    discovery: emptyDiscovery,
    workspace: { open: unasked, toPath: (path) => path },
    ...over,
  });
  return { bridge, made };
};

describe("openBridge()", () => {
  it("calls the tool by the server's name for it and records sizes, not contents", async () => {
    const { bridge, made } = open();

    await bridge.call(guestCall('[{"title":"secret"}]'), never);

    expect(made).toEqual([{ title: "secret" }]);
    expect(bridge.calls()).toMatchObject([
      {
        sequence: 1,
        server: "github",
        tool: "create_issue",
        status: "answered",
        argumentBytes: 20,
        answerBytes: 11,
      },
    ]);
    expect(JSON.stringify(bridge.calls())).not.toContain("secret");
  });

  it("refuses wrong arguments before the server is called", async () => {
    const { bridge, made } = open({
      validateArguments: () => {
        throw new CoordinatorError(
          "ARGUMENTS_INVALID",
          'Cannot call "github.create_issue": argument "title" is missing',
        );
      },
    });

    expect(await bridge.call(guestCall(), never)).toMatchObject({
      status: "failed",
      name: "ArgumentError",
      code: "ARGUMENTS_INVALID",
    });
    expect(made).toEqual([]);
  });

  it("refuses a server that the run may not use", async () => {
    const { bridge, made } = open({
      checkTool: () => {
        throw new CoordinatorError("SERVER_NOT_ALLOWED", "no");
      },
    });

    expect(await bridge.call(guestCall(), never)).toMatchObject({
      status: "failed",
      code: "SERVER_NOT_ALLOWED",
    });
    expect(made).toEqual([]);
  });

  it("reports a host error without its stack or cause", async () => {
    const { bridge } = open({
      callTool: async () => {
        throw new CoordinatorError("UPSTREAM_CLOSED", "Cannot finish the call", {
          cause: new Error("at /secret/path.ts"),
        });
      },
    });

    const answer = await bridge.call(guestCall(), never);

    expect(answer).toMatchObject({ status: "failed", code: "UPSTREAM_CLOSED" });
    expect(JSON.stringify(answer)).not.toContain("/secret/path");
  });

  it("limits calls in flight, and loses none", async () => {
    let underWay = 0;
    let most = 0;
    const { bridge } = open({
      limits: { ...defaultLimits, callsInFlight: 3 },
      callTool: async () => {
        most = Math.max(most, ++underWay);
        await nextTurn();
        underWay--;
        return {};
      },
    });

    const answers = await Promise.all(Array.from({ length: 20 }, () => bridge.call(guestCall(), never)));

    expect(most).toBe(3);
    expect(answers.every(({ status }) => status === "answered")).toBe(true);
    expect(bridge.calls().map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });

  it("refuses an answer above the limit", async () => {
    const { bridge } = open({ limits: { ...defaultLimits, answerBytes: 5 } });

    expect(await bridge.call(guestCall(), never)).toMatchObject({ status: "failed", code: "LIMIT_ANSWER" });
  });

  it.each([
    ["nested too deep", `[${"[".repeat(300)}${"]".repeat(300)}]`],
    ["not a list", "{}"],
  ])("refuses arguments that are %s", async (_what, text) => {
    const { bridge, made } = open();

    expect(await bridge.call(guestCall(text), never)).toMatchObject({
      status: "failed",
      code: "ARGUMENTS_INVALID",
    });
    expect(made).toEqual([]);
  });
});

describe("measureText()", () => {
  it("counts nesting and values, and ignores the contents of strings", () => {
    expect(measureText('{"a":[1,{"b":"[[[\\",,[["}],"c":2}')).toEqual({ depth: 3, values: 6 });
  });
});

describe("openBridge() for a program that searches the catalog", () => {
  const unknown = new CoordinatorError("TOOL_UNKNOWN", "Cannot find the tool");
  const discovery = { ...emptyDiscovery, listTools: async () => [tool] };
  const bindArguments: BridgeOptions["bindArguments"] = (_tool, [server]) =>
    server === undefined ? {} : { server };
  const ask = { server: "\u0000discovery", tool: "listTools", argumentsJson: "[]", isRaw: false };

  it("answers without a record", async () => {
    const { bridge } = open({ discovery });

    expect(await bridge.call(ask, never)).toMatchObject({ status: "answered", format: "json" });
    expect(bridge.calls()).toEqual([]);
  });

  it("answers for a server's module unless a tool has that name, which is then called", async () => {
    const findTool = async () => {
      throw unknown;
    };
    const call = { ...ask, server: "github" };
    const without = open({ discovery, findTool, bindArguments });
    const having = open({ discovery });

    expect(await without.bridge.call(call, never)).toMatchObject({ body: JSON.stringify([tool]) });
    expect(without.made).toEqual([]);
    await having.bridge.call(call, never);
    expect(having.made).toHaveLength(1);
  });

  it("applies the limits of arguments and answers", async () => {
    const { bridge } = open({ discovery, limits: { ...defaultLimits, answerBytes: 10, argumentBytes: 10 } });

    expect(await bridge.call(ask, never)).toMatchObject({ status: "failed", code: "LIMIT_ANSWER" });
    expect(await bridge.call({ ...ask, argumentsJson: '["a long server name"]' }, never)).toMatchObject({
      status: "failed",
      code: "ARGUMENTS_INVALID",
    });
  });
});
