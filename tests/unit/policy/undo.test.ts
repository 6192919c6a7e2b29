// Inverse calls: how they are written, computed and checked against the tools that exist.
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../../../src/contracts/index.js";
import { checkUndo, parsePolicy, toInverseMaker } from "../../../src/policy/index.js";

const toTool = (name: string, properties: Record<string, JsonSchema>, required: readonly string[] = []) => ({
  server: "github",
  name,
  isReadOnly: name.startsWith("get"),
  isDestructive: !name.startsWith("get"),
  inputSchema: { type: "object", properties, required: [...required], additionalProperties: false },
});
const servers = [
  {
    name: "github",
    tools: [
      toTool("create_issue", { title: { type: "string" } }),
      toTool("update_issue", { number: { type: "number" }, state: { enum: ["open", "closed"] } }, ["number"]),
      toTool("get_issue", { number: { type: "number" } }),
    ],
  },
  { name: "remote", tools: undefined },
  { name: "acme.files", tools: undefined },
];

const parse = (undo: Json) => parsePolicy({ undo });
const maker = (rule: Json) => {
  const [parsed] = parse({ "github.create_issue": rule }).policy.undo ?? [];
  if (parsed === undefined) throw new Error("It was not read");
  return toInverseMaker(parsed, ["github", "acme.files"]);
};
const close = { call: "github.update_issue", with: { number: "$answer.number", state: "closed" } };

describe("an inverse call", () => {
  it("uses values of the answer, the arguments and the state before", () => {
    const made = maker({
      call: "acme.files.write",
      with: {
        a: "$answer.list.1",
        b: ["$arguments.title"],
        c: { d: "$before" },
        e: "$$answer",
        f: "$answer.none?",
      },
      before: { call: "github.get_issue", with: { number: "$arguments.title" } },
    });
    expect(made.toRead({ title: "t" })).toEqual({
      server: "github",
      tool: "get_issue",
      arguments: { number: "t" },
    });
    expect(made.invert({ arguments: { title: "t" }, answer: { list: [1, 2] }, before: "was" })).toEqual({
      call: {
        server: "acme.files",
        tool: "write",
        arguments: { a: 2, b: ["t"], c: { d: "was" }, e: "$answer" },
      },
      check: undefined,
      before: { server: "github", tool: "get_issue", arguments: { number: "t" }, answer: "was" },
    });
  });

  it.each([
    ["constructor.name", {}],
    ["__proto__", {}],
    ["length", [1]],
    ["length", "text"],
    ["a.b", { a: null }],
  ])("does not read %s from what %j inherits", (path, answer) => {
    const made = maker({ call: "github.update_issue", with: { number: `$answer.${path}` } });
    expect(made.invert({ arguments: {}, answer: answer as Json })).toEqual({
      missing: `there is no $answer.${path}`,
    });
  });
});

describe("the section undo", () => {
  it.each<[Json, string]>([
    ["text", "is not an object like"],
    [{ "github.*": close }, "is not the name of one tool"],
    [{ "github.create_issue": { with: {} } }, "is not the name of a tool"],
    [{ "github.create_issue": { ...close, wiht: {} } }, 'is not a key of a policy, did you mean "with"?'],
    [{ "github.create_issue": { call: "github.x", with: { a: "$anwser.b" } } }, 'did you mean "$answer"?'],
    [{ "github.create_issue": { call: "github.x", with: { a: "$before.b" } } }, "names no value"],
    [{ "github.create_issue": { call: "github.x", with: [] } }, "is not an object with arguments"],
    [
      { "github.create_issue": { ...close, check: { call: "github.get_issue" } } },
      "is not an object with fields",
    ],
  ])("reports %j: %s", (undo, message) => {
    expect(
      parse(undo)
        .problems.map((problem) => problem.message)
        .join("\n"),
    ).toContain(message);
  });

  it("does not restrict calls", () => {
    expect(parse({ "github.create_issue": close }).policy.otherwise).toBe("allow");
  });
});

describe("checkUndo()", () => {
  const check = (undo: Json) => checkUndo(parse(undo).policy.undo ?? [], servers);

  it("accepts a call that fits", () => {
    expect(check({ "github.create_issue": close })).toMatchObject([{ severity: "none" }]);
  });

  it.each<[Json, string]>([
    [{ "githib.create_issue": close }, 'no server "githib" is configured. Did you mean "github"?'],
    [{ "github.create_isue": close }, 'has no tool "create_isue". Did you mean "create_issue"?'],
    [{ "github.create_issue": { ...close, call: "github.updat_issue" } }, 'Did you mean "update_issue"?'],
    [
      { "github.create_issue": { call: "github.update_issue", with: { numbr: 1 } } },
      'has no argument "numbr". Did you mean "number"?',
    ],
    [{ "github.create_issue": { call: "github.update_issue" } }, 'needs the argument "number"'],
    [
      { "github.create_issue": { ...close, with: { number: 1, state: "close" } } },
      'is never "close". Did you mean "closed"?',
    ],
    [
      { "github.create_issue": { ...close, with: { number: "$arguments.titel" } } },
      'the tool has no argument "titel". Did you mean "title"?',
    ],
    [
      { "github.create_issue": { ...close, before: { call: "github.create_issue" } } },
      "is not declared read-only",
    ],
    [{ "github.get_issue": close }, "the tool only reads"],
  ])("reports %j: %s", (undo, message) => {
    expect(check(undo)).toMatchObject([{ severity: "error", message: expect.stringContaining(message) }]);
  });

  it("warns about a server whose tools were never listed", () => {
    expect(check({ "remote.write": { call: "remote.erase" } })).toMatchObject([{ severity: "warning" }]);
  });
});
