// A rule that applies to nothing is reported with the nearest name.
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../../../src/contracts/index.js";
import { checkPolicy, parsePolicy } from "../../../src/policy/index.js";

const toTool = (server: string, name: string, properties: Record<string, JsonSchema>) => ({
  server,
  name,
  isReadOnly: name.startsWith("list"),
  isDestructive: !name.startsWith("list"),
  inputSchema: { type: "object", properties, additionalProperties: false },
});
const servers = [
  {
    name: "mail",
    tools: [
      toTool("mail", "send", {
        to: { type: "array", items: { type: "string" } },
        urgency: { enum: ["low", "high"] },
      }),
      toTool("mail", "list", { folder: { type: "string" } }),
    ],
  },
  { name: "remote", tools: undefined },
];

const check = (document: Json) =>
  checkPolicy(parsePolicy(document).policy, servers).map(({ severity, message, tools }) => [
    severity,
    tools,
    message,
  ]);

describe("checkPolicy()", () => {
  it("counts the tools that each rule selects", () => {
    expect(check({ allow: ["reads"], ask: ["mail.*", "mail.send(to: *@acme.com)"] })).toEqual([
      ["none", 1, undefined],
      ["none", 2, undefined],
      ["none", 1, undefined],
    ]);
  });

  it.each([
    ["mial.send", 'matches no tool: no server "mial" is configured. Did you mean "mail"?'],
    ["mail.sent", 'matches no tool. Did you mean "mail.send"?'],
    ["mail.list(flder: x)", 'names the argument "flder", which no selected tool has. Did you mean "folder"?'],
    [
      "mail.send(urgency: hihg)",
      'compares the argument "urgency" with "hihg", which it never is. Did you mean "high"?',
    ],
    ["*.purge", "is not proven: the tools of its server were never listed"],
    ["remote.anything", "is not proven: the tools of its server were never listed"],
  ])("reports %s: %s", (rule, message) => {
    expect(check({ deny: [rule] })[0]?.[2]).toBe(message);
  });

  it("reports a misspelled tool under reveal", () => {
    expect(check({ hide: ["email"], reveal: { "mail.send": ["email"], "mail.sned": "all" } })).toEqual([
      ["none", 1, undefined],
      ["error", 0, 'matches no tool. Did you mean "mail.send"?'],
    ]);
  });

  it("reports a misspelled argument in an exception", () => {
    expect(check({ deny: [{ rule: "mail.send", unless: "mail.send(too: x)" }] })[0]?.[0]).toBe("error");
  });

  it("reports tools under reveal and servers under distrust that do not exist", () => {
    expect(
      check({ hide: ["email"], reveal: { "mail.send": ["email"], "mail.sent": "all" }, distrust: ["mial"] }),
    ).toEqual([
      ["none", 1, undefined],
      ["error", 0, 'matches no tool. Did you mean "mail.send"?'],
      ["error", 0, 'matches no server. Did you mean "mail"?'],
    ]);
  });

  it("warns about what only the first policy can do", () => {
    const [own, other] = [
      { allow: ["mail.list"], reveal: { "mail.send": ["email"] } },
      { allow: ["mail.list"], ask: ["writes"], reveal: { "mail.send": ["email"] } },
    ].map((document) => parsePolicy(document as Json).policy);
    if (own === undefined || other === undefined) throw new Error("two policies");
    const severities = (policy: typeof own) =>
      checkPolicy(policy, servers, [own, other]).map(({ severity }) => severity);
    expect(severities(own)).toEqual(["none", "none"]);
    expect(severities(other)).toEqual(["warning", "none", "warning"]);
  });

  it("warns about a rule that a wider deny covers", () => {
    expect(check({ ask: ["mail.send"], deny: ["writes"] })).toEqual([
      ["warning", 1, "never applies: a deny rule covers every tool that it selects"],
      ["none", 1, undefined],
    ]);
  });
});

describe("parsePolicy()", () => {
  it.each<[Json, string]>([
    [{ alow: [] }, '"alow": is not a key of a policy, did you mean "allow"?'],
    [{ allow: "reads" }, '"allow": is not a list of rules'],
    [{ deny: [7] }, '"deny.0": is not a rule, expected a string like "server.tool(argument: pattern)"'],
    [
      { deny: ["delete"] },
      '"deny.0": "delete" selects nothing, expected "server.tool", with "*" for any part, or one of reads, writes, destructive, external',
    ],
    [
      { deny: ["a.b(c)"] },
      '"deny.0": the condition "c" is not clear, expected "argument: pattern", "argument: not pattern", "argument in [a, b]" or "argument > 10"',
    ],
    [
      { deny: ["a.b(c > x)"] },
      '"deny.0": "x" cannot be compared with >, expected a number or a date like 2026-01-31',
    ],
    [{ deny: ["a.b(c: d"] }, '"deny.0": it does not end with ")", expected one after the conditions'],
    [
      { deny: [{ rule: "a.b", becuase: "x" }] },
      '"deny.0.becuase": is not a key of a policy, did you mean "because"?',
    ],
    [{ default: "maybe" }, '"default": is "maybe", expected allow, ask or deny'],
    [
      { roles: { ops: { caller: ["x"] } } },
      '"roles.ops.caller": is not a key of a policy, did you mean "callers"?',
    ],
    [[], '"policy": is not an object, expected allow, ask and deny with lists of rules'],
  ])("reports %j", (document, message) => {
    expect(parsePolicy(document).problems.map((problem) => problem.message)).toEqual([message]);
  });

  it("names the file and the line", () => {
    const { policy, problems } = parsePolicy(
      { deny: ["a.b", "oops"] },
      { file: "policy.yaml", lineOf: (path) => 10 + Number(path[1]) },
    );
    expect(policy.rules[0]).toMatchObject({ file: "policy.yaml", line: 10 });
    expect(problems[0]).toMatchObject({ file: "policy.yaml", line: 11 });
  });
});
