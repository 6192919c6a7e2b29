// Guardrails are read with every problem and its line, and match texts in linear time.
import { describe, expect, it } from "vitest";
import { matchGuardrails, parsePolicy } from "../../../src/policy/index.js";

const parse = (...guardrails: readonly object[]) => parsePolicy({ guardrails: guardrails as never });
const whole = { name: "one", on: ["output"], mode: "block" };

const matches = (entry: object, text: string): boolean => {
  const { policy, problems } = parse({ ...whole, ...entry });
  expect(problems).toEqual([]);
  return matchGuardrails(policy.guardrails, text).length > 0;
};

describe("a guardrail", () => {
  it("matches by its pattern, anywhere in a text", () => {
    expect(matches({ pattern: "\\.corp\\.example\\.com" }, "see db.corp.example.com")).toBe(true);
    expect(matches({ pattern: "\\.corp\\.example\\.com" }, "see dbXcorpXexample.com")).toBe(false);
    expect(matches({ pattern: "(?i)confidential" }, "CONFIDENTIAL")).toBe(true);
  });

  it("sees texts in JSON with and without their escapes", () => {
    const json = JSON.stringify({ note: 'first\nsecond "quoted"' });
    expect(matches({ pattern: "first\\nsecond" }, json)).toBe(true);
    expect(matches({ pattern: '"quoted"' }, json)).toBe(true);
    expect(matches({ pattern: '"note":' }, json)).toBe(true);
    expect(matches({ pattern: "first\\nsecond" }, "{ not json \\n")).toBe(false);
  });

  it("finds secrets and personal values by their form", () => {
    const key = `ghp_${"a1".repeat(18)}`;
    expect(matches({ detect: ["secret"] }, `token ${key} here`)).toBe(true);
    expect(matches({ detect: ["secret"] }, "ann@acme.com")).toBe(false);
    expect(matches({ detect: ["email", "card"] }, "ann@acme.com")).toBe(true);
    expect(matches({ detect: ["secret"] }, "a token [SECRET_1]")).toBe(false);
  });

  it("sees through the escapes of JSON in any text, and in JSON inside of JSON", () => {
    const escaped = '{"host":"db\\u002ecorp"}';
    for (const text of [
      escaped,
      JSON.stringify({ content: [{ text: escaped }] }),
      `first line\n${escaped}\n{"half`,
      `const host = "db\\u002Ecorp";`,
    ])
      expect(matches({ pattern: "db\\.corp" }, text)).toBe(true);
    expect(matches({ pattern: "db\\.corp" }, "db\\u002corp \\ud800")).toBe(false);
  });

  it("says where an escaped text is written", () => {
    const { policy } = parse({ ...whole, pattern: "db\\.corp" });
    const text = '"\\n\\u0041";\n"db\\u002ecorp"';
    expect(matchGuardrails(policy.guardrails, text)).toEqual([{ index: 0, at: text.indexOf("db") }]);
    const nested = JSON.stringify({ "\n": [text] });
    expect(matchGuardrails(policy.guardrails, nested)).toEqual([{ index: 0, at: nested.indexOf("db") }]);
  });

  it("says where it matches", () => {
    const { policy } = parse({ ...whole, pattern: "bad" }, { ...whole, pattern: "other" });
    expect(matchGuardrails(policy.guardrails, "not bad, not bad")).toEqual([{ index: 0, at: 4 }]);
  });

  it.each(["(a+)+$", "(a|a)*b", "(.*)*x", "([a-z]+)*[0-9]"])(
    "takes linear time for %s, for which other engines need minutes",
    (pattern) => {
      // With backtracking, forty characters are too many already.
      const { policy } = parse({ ...whole, pattern: `${pattern}!` });
      expect(matchGuardrails(policy.guardrails, `${"a".repeat(50_000)}-`)).toEqual([]);
    },
  );

  it.each([
    [{ pattern: "(" }, '"guardrails.0.pattern": is not a pattern: missing closing \\)'],
    [{ pattern: "(?=a)b" }, "Look-around and back-references do not exist here"],
    [{ pattern: "(a)\\1" }, '"guardrails.0.pattern": is not a pattern'],
    [{ pattern: "((a{100}){100}){100}" }, "is not a pattern: invalid repeat count"],
    [{ pattern: "a*" }, "matches every text"],
    [{ pattern: "x".repeat(1001) }, "is not a pattern of 1 to 1000 characters"],
    [{ pattern: 7 }, "is not a pattern of 1 to 1000 characters"],
    [{}, "expected either a pattern or detect"],
    [{ pattern: "a", detect: ["card"] }, "expected either a pattern or detect"],
    [{ detect: ["names"] }, '"guardrails.0.detect": is \\["names"\\], expected email, phone'],
    [{ pattern: "a", on: ["everything"] }, '"guardrails.0.on": is \\["everything"\\], expected code, input'],
    [{ pattern: "a", on: undefined }, '"guardrails.0.on": is missing, expected code'],
    [{ pattern: "a", mode: "refuse" }, '"guardrails.0.mode": is "refuse", expected warn, block'],
    [{ pattern: "a", patern: "b" }, 'did you mean "pattern"'],
    [{ pattern: "a", because: 1 }, '"guardrails.0.because": is not a string'],
  ])("with a mistake is an error with its place: %o", (entry, message) => {
    const { problems } = parsePolicy(
      { guardrails: [{ ...whole, ...entry }] as never },
      { file: "policy.yaml", lineOf: () => 3 },
    );
    expect(problems[0]?.message).toMatch(new RegExp(message));
    expect(problems[0]).toMatchObject({ file: "policy.yaml", line: 3 });
  });

  it("alone does not restrict calls", () => {
    expect(parse({ ...whole, pattern: "a" }).policy.otherwise).toBe("allow");
  });
});
