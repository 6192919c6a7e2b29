// Decisions: the strongest rule wins, in whatever order rules are written, and what is unknown never allows.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/contracts/index.js";
import { openPolicy, type PolicyTool, parsePolicy } from "../../../src/policy/index.js";
import { rounds } from "../../support/rounds.js";

const read = (document: Json) => {
  const { policy, problems } = parsePolicy(document);
  expect(problems).toEqual([]);
  return policy;
};
const toTool = (name: string, facts: Partial<PolicyTool> = {}): PolicyTool => ({
  server: "shop",
  name,
  isReadOnly: false,
  isDestructive: true,
  ...facts,
});
const listing = toTool("list_orders", { isReadOnly: true, isDestructive: false });

describe("a decision", () => {
  it("allows everything without a policy", () => {
    expect(openPolicy([]).decide(toTool("delete_order"), {})).toEqual({ answer: "allow" });
  });

  it("allows reads and asks about everything else if no rule matches", () => {
    const { decide } = openPolicy([read({})]);
    expect(decide(listing, {}).answer).toBe("allow");
    expect(decide(toTool("create_order"), {}).answer).toBe("ask");
  });

  it("prefers deny over ask, and ask over allow", () => {
    const { decide } = openPolicy([
      read({ allow: ["shop.*"], ask: ["writes"], deny: ["shop.delete_*"], default: "deny" }),
    ]);
    expect(decide(listing, {}).answer).toBe("allow");
    expect(decide(toTool("create_order"), {}).answer).toBe("ask");
    expect(decide(toTool("delete_order"), {}).answer).toBe("deny");
    expect(decide({ ...listing, server: "mail" }, {}).answer).toBe("deny");
  });

  it("finds a tool by its name on the server and by its name in programs", () => {
    const { decide } = openPolicy([read({ deny: ["shop.deleteOrder"] })]);
    expect(decide(toTool("delete_order", { functionName: "deleteOrder" }), {}).answer).toBe("deny");
  });

  it("selects tools by class", () => {
    const { decide } = openPolicy([read({ deny: ["destructive"], ask: ["external"], default: "allow" })]);
    expect(decide(toTool("create", { isDestructive: false, isExternal: false }), {}).answer).toBe("allow");
    expect(decide(toTool("create", { isDestructive: false }), {}).answer).toBe("ask");
    expect(decide(toTool("drop"), {}).answer).toBe("deny");
  });

  it("ignores the hints of a distrusted server", () => {
    const { decide } = openPolicy([read({ allow: ["reads"], distrust: ["shop"] })]);
    expect(decide(listing, {}).answer).toBe("ask");
  });

  it("applies a role's rules to its callers only", () => {
    const { decide } = openPolicy([
      read({ allow: ["writes"], roles: { analyst: { callers: ["ana"], deny: ["writes"] } } }),
    ]);
    expect(decide(toTool("create"), {}, "ana").answer).toBe("deny");
    expect(decide(toTool("create"), {}, "bob").answer).toBe("allow");
    expect(decide(toTool("create"), {}).answer).toBe("allow");
  });

  it("makes exceptions inside a rule", () => {
    const { decide } = openPolicy([
      read({ deny: [{ rule: "shop.send", unless: "shop.send(to: *@acme.com)" }], default: "allow" }),
    ]);
    expect(decide(toTool("send"), { to: "ann@acme.com" }).answer).toBe("allow");
    expect(decide(toTool("send"), { to: ["ann@acme.com", "bob@evil.org"] }).answer).toBe("deny");
    expect(decide(toTool("send"), { to: { address: "ann@acme.com" } }).answer).toBe("deny");
  });

  it("names the rule and the reason, not the pattern", () => {
    const { decide } = openPolicy([
      read({ deny: [{ rule: "shop.send(to: bob@evil.org)", because: "no mail outside" }] }),
    ]);
    const { rule } = decide(toTool("send"), { to: "bob@evil.org" });
    expect([rule?.name, rule?.because]).toEqual(["deny 1", "no mail outside"]);
    expect(`${rule?.name}${rule?.because}`).not.toContain("evil");
  });

  it("finds tools that are denied whatever their arguments are", () => {
    const { findDenial } = openPolicy([
      read({ deny: ["shop.drop", "shop.send(to: x)", { rule: "shop.move", unless: "shop.move(to: y)" }] }),
    ]);
    expect(findDenial(toTool("drop"))?.name).toBe("deny 1");
    expect(findDenial(toTool("send"))).toBeUndefined();
    expect(findDenial(toTool("move"))).toBeUndefined();
  });

  it("finds tools that the default denies, unless a rule of anybody may let them through", () => {
    const { findDenial } = openPolicy([
      read({
        allow: ["shop.list", "shop.send(to: x)"],
        default: "deny",
        roles: { keeper: { callers: ["ann"], ask: ["shop.move"] } },
      }),
    ]);
    expect(findDenial(toTool("drop"))?.name).toBe("default");
    expect(findDenial(toTool("list"))).toBeUndefined();
    expect(findDenial(toTool("send"))).toBeUndefined();
    expect(findDenial(toTool("move"))).toBeUndefined();
    expect(findDenial(toTool("move"), "ann")).toBeUndefined();
    expect(findDenial(toTool("move"), "bob")?.name).toBe("default");
  });

  it("lets no later policy turn a denial by default into a question", () => {
    const policies = [read({ allow: ["shop.send(to: x)"], default: "deny" }), read({ ask: ["writes"] })];
    const { decide, explain, foresee, findDenial } = openPolicy(policies);
    expect(decide(toTool("create"), {}).answer).toBe("deny");
    expect(explain(toTool("create"), {}).answer).toBe("deny");
    expect(foresee(toTool("create"), {}, () => true)).toBe("deny");
    expect(findDenial(toTool("create"))?.name).toBe("default");
    expect(decide(toTool("send"), { to: "y" }).answer).toBe("deny");
    expect(decide(toTool("send"), { to: "x" }).answer).toBe("ask");
    expect(explain(toTool("send"), { to: "x" }).answer).toBe("ask");
    expect(foresee(toTool("send"), {}, () => true)).toBe("ask");
  });

  it("foresees a denial by default only if no open argument can be one that is allowed", () => {
    const { foresee } = openPolicy([read({ allow: ["shop.send(to: x)"], default: "deny" })]);
    expect(foresee(toTool("send"), {}, () => true)).toBe("allow");
    expect(foresee(toTool("send"), { to: "y" }, () => false)).toBe("deny");
    expect(foresee(toTool("create"), {}, () => true)).toBe("deny");
  });

  it("lets later policies narrow, never widen", () => {
    const { decide } = openPolicy([
      read({ ask: ["writes"], deny: ["shop.drop"] }),
      read({ allow: ["writes", "shop.drop"], deny: ["shop.send"] }),
    ]);
    expect(decide(toTool("create"), {}).answer).toBe("ask");
    expect(decide(toTool("drop"), {}).answer).toBe("deny");
    expect(decide(toTool("send"), {}).answer).toBe("deny");
  });

  it("uses the strictest default that is written, so that a stricter one applies at once", () => {
    const writing = toTool("create_order");
    const answer = (...documents: readonly Json[]) =>
      openPolicy(documents.map(read)).decide(writing, {}).answer;
    expect(answer({ default: "allow" }, {})).toBe("allow");
    expect(answer({ default: "allow" }, { default: "ask" })).toBe("ask");
    expect(answer({ default: "deny" }, { default: "allow" })).toBe("deny");
    expect(answer({}, { default: "deny" })).toBe("deny");
    expect(answer({ allow: ["shop.*"] }, { default: "deny" })).toBe("allow");
  });

  it("explains every rule that applies, the strongest first, and which are not certain", () => {
    const { explain } = openPolicy([
      read({ allow: ["shop.*"], ask: ["shop.pay(amount > 10)"], deny: ["shop.pay(amount > 500)"] }),
    ]);
    const found = explain(toTool("pay"), { amount: "600" });
    expect(found.answer).toBe("deny");
    expect(found.applied.map(({ rule, isCertain }) => [rule.name, isCertain])).toEqual([
      ["deny 1", false],
      ["ask 1", false],
      ["allow 1", true],
    ]);
  });
});

const ruleTexts = fc.oneof(
  fc.constantFrom("reads", "writes", "destructive", "external", "*.*", "shop.*", "mail.*", "*.delete_*"),
  fc
    .tuple(
      fc.constantFrom("shop.send", "shop.*", "writes", "mail.send"),
      fc.array(
        fc.constantFrom(
          "to: *@acme.com",
          "to: not *@acme.com",
          "amount > 5",
          "amount <= 5",
          "tag in [a, b]",
          "tag not in [a]",
          "to|cc: not x@acme.com",
          "path: /data/**",
        ),
        { minLength: 1, maxLength: 2 },
      ),
    )
    .map(([selector, conditions]) => `${selector}(${conditions.join(", ")})`),
);
const lists = fc.record({
  allow: fc.array(ruleTexts, { maxLength: 4 }),
  ask: fc.array(ruleTexts, { maxLength: 4 }),
  deny: fc.array(ruleTexts, { maxLength: 4 }),
});
const leaves = fc.oneof(
  fc.constantFrom<Json>("ann@acme.com", "bob@evil.org", "a", "b", "/data/x", "../x", "", null, true),
  fc.integer({ min: 0, max: 10 }),
);
const values = fc.dictionary(
  fc.constantFrom("to", "cc", "amount", "tag", "path", "To"),
  fc.oneof(leaves, fc.array(leaves, { maxLength: 3 }), fc.dictionary(fc.constantFrom("x"), leaves)),
) as fc.Arbitrary<JsonObject>;
const tools = fc.record({
  server: fc.constantFrom("shop", "mail"),
  name: fc.constantFrom("send", "delete_all", "list"),
  isReadOnly: fc.boolean(),
  isDestructive: fc.boolean(),
});
const strength = { allow: 0, ask: 1, deny: 2 };
const runs = { numRuns: rounds(300, 20_000) };

describe("for all rules and calls", () => {
  it("the order of rules does not matter", () => {
    fc.assert(
      fc.property(lists, tools, values, (written, tool, value) => {
        const reversed = Object.fromEntries(
          Object.entries(written).map(([key, list]) => [key, [...list].reverse()]),
        );
        const one = openPolicy([read(written)]).decide(tool, value).answer;
        expect(openPolicy([read(reversed)]).decide(tool, value).answer).toBe(one);
      }),
      runs,
    );
  });

  it("one more deny or ask never allows more", () => {
    fc.assert(
      fc.property(
        lists,
        ruleTexts,
        fc.constantFrom("ask", "deny"),
        tools,
        values,
        (written, rule, list, tool, value) => {
          const before = openPolicy([read(written)]).decide(tool, value).answer;
          const wider = { ...written, [list]: [...written[list as "ask"], rule] };
          expect(strength[openPolicy([read(wider)]).decide(tool, value).answer]).toBeGreaterThanOrEqual(
            strength[before],
          );
        },
      ),
      runs,
    );
  });

  it("a policy of a narrower scope never allows more", () => {
    fc.assert(
      fc.property(lists, lists, tools, values, (wide, narrow, tool, value) => {
        const before = openPolicy([read(wide)]).decide(tool, value).answer;
        const after = openPolicy([read(wide), read(narrow)]).decide(tool, value).answer;
        expect(strength[after]).toBeGreaterThanOrEqual(strength[before]);
      }),
      runs,
    );
  });

  it("a rule and its negation never both allow, and one of them always denies", () => {
    const conditions = fc.constantFrom(
      "to: *@acme.com",
      "tag in [a, b]",
      "path: /data/**",
      "amount in [1, 2]",
    );
    fc.assert(
      fc.property(conditions, values, (condition, value) => {
        const negated = condition.includes(" in ")
          ? condition.replace(" in ", " not in ")
          : condition.replace(": ", ": not ");
        const decide = (list: string, text: string) =>
          openPolicy([
            read({ [list]: [`shop.send(${text})`], default: list === "allow" ? "ask" : "allow" }),
          ]).decide(toTool("send"), value).answer;
        expect(decide("allow", condition) === "allow" && decide("allow", negated) === "allow").toBe(false);
        expect(decide("deny", condition) === "deny" || decide("deny", negated) === "deny").toBe(true);
      }),
      runs,
    );
  });

  it("the explanation gives the same answer as the decision", () => {
    fc.assert(
      fc.property(lists, tools, values, (written, tool, value) => {
        const { decide, explain } = openPolicy([read(written)]);
        const { answer, rule } = explain(tool, value);
        expect(decide(tool, value)).toEqual(rule === undefined ? { answer } : { answer, rule });
      }),
      runs,
    );
  });

  it("the decision is the same as that of a simple evaluator of these rules", () => {
    fc.assert(
      fc.property(lists, tools, values, (written, tool, value) => {
        expect(openPolicy([read(written)]).decide(tool, value).answer).toBe(
          decideNaively(written, tool, value),
        );
      }),
      { numRuns: rounds(3000, 100_000) },
    );
  });

  it("an unknown condition never allows: a call that an allow rule lets through certainly meets its condition", () => {
    fc.assert(
      fc.property(ruleTexts, tools, values, (rule, tool, value) => {
        const { answer } = openPolicy([read({ allow: [rule], default: "deny" })]).decide(tool, value);
        if (answer === "allow") expect(holdsNaively(rule, tool, value, "every")).toBe("yes");
      }),
      runs,
    );
  });
});

type Naive = "yes" | "no" | "unknown";
type NaiveTool = { server: string; name: string; isReadOnly: boolean; isDestructive: boolean };

const naiveTests: Readonly<Record<string, (leaf: Json) => Naive>> = {
  "*@acme.com": (leaf) => (leaf === "ann@acme.com" ? "yes" : leaf === "bob@evil.org" ? "no" : "unknown"),
  "x@acme.com": (leaf) => (leaf === "ann@acme.com" || leaf === "bob@evil.org" ? "no" : "unknown"),
  "> 5": (leaf) => (typeof leaf !== "number" ? "unknown" : leaf > 5 ? "yes" : "no"),
  "<= 5": (leaf) => (typeof leaf !== "number" ? "unknown" : leaf <= 5 ? "yes" : "no"),
  "[a, b]": (leaf) => (typeof leaf !== "string" ? "unknown" : leaf === "a" || leaf === "b" ? "yes" : "no"),
  "[a]": (leaf) => (typeof leaf !== "string" ? "unknown" : leaf === "a" ? "yes" : "no"),
  "/data/**": (leaf) => (leaf === "/data/x" ? "yes" : "unknown"),
};

/** [condition, arguments, negated, test] */
const naiveConditions: readonly (readonly [string, readonly string[], boolean, string])[] = [
  ["to: *@acme.com", ["to"], false, "*@acme.com"],
  ["to: not *@acme.com", ["to"], true, "*@acme.com"],
  ["amount > 5", ["amount"], false, "> 5"],
  ["amount <= 5", ["amount"], false, "<= 5"],
  ["tag in [a, b]", ["tag"], false, "[a, b]"],
  ["tag not in [a]", ["tag"], true, "[a]"],
  ["to|cc: not x@acme.com", ["to", "cc"], true, "x@acme.com"],
  ["path: /data/**", ["path"], false, "/data/**"],
];

const holdsNaively = (rule: string, tool: NaiveTool, value: JsonObject, all: "every" | "some"): Naive => {
  const selector = rule.replace(/\(.*/, "");
  const name = `${tool.server}.${tool.name}`;
  const isSelected =
    selector === "external" ||
    selector === "*.*" ||
    (selector === "reads" && tool.isReadOnly) ||
    (selector === "writes" && !tool.isReadOnly) ||
    (selector === "destructive" && tool.isDestructive && !tool.isReadOnly) ||
    (selector.endsWith(".*") && selector !== "*.*" && tool.server === selector.slice(0, -2)) ||
    (selector === "*.delete_*" && tool.name.startsWith("delete_")) ||
    selector === name;
  if (!isSelected) return "no";
  const results = naiveConditions.map(([text, names, isNegated, test]): Naive => {
    const written = rule.slice(selector.length + 1, -1);
    if (!(written === text || written.startsWith(`${text}, `) || written.endsWith(`, ${text}`))) return "yes";
    const found = names.flatMap((one): Naive[] => {
      const given = value[one];
      const leaves =
        given === undefined || given === null ? [] : Array.isArray(given) ? (given as Json[]) : [given];
      const tested = leaves.map((leaf): Naive => {
        const result = naiveTests[test]?.(leaf as Json) ?? "unknown";
        return !isNegated || result === "unknown" ? result : result === "yes" ? "no" : "yes";
      });
      return one === "to" && value.To !== undefined ? [...tested, "unknown"] : tested;
    });
    if (found.length === 0) return isNegated ? "unknown" : "no";
    const decisive = all === "every" ? "no" : "yes";
    if (found.includes(decisive)) return decisive;
    return found.includes("unknown") ? "unknown" : all === "every" ? "yes" : "no";
  });
  return results.includes("no") ? "no" : results.includes("unknown") ? "unknown" : "yes";
};

const decideNaively = (
  written: { readonly [Answer in "allow" | "ask" | "deny"]: readonly string[] },
  tool: NaiveTool,
  value: JsonObject,
): string => {
  const applies = (rules: readonly string[], all: "every" | "some", enough: readonly Naive[]): boolean =>
    rules.some((rule) => enough.includes(holdsNaively(rule, tool, value, all)));
  if (applies(written.deny, "some", ["yes", "unknown"])) return "deny";
  if (applies(written.ask, "some", ["yes", "unknown"])) return "ask";
  if (applies(written.allow, "every", ["yes"])) return "allow";
  return tool.isReadOnly ? "allow" : "ask";
};
