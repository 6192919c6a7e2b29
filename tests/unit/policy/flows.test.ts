// Flows: reading them, what they decide, and properties that hold for all of them.
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, toExactInteger } from "../../../src/contracts/index.js";
import { labelArguments, readArgumentFacts } from "../../../src/policy/flows/label-arguments.js";
import { joinLabels, type Labels, noLabels, openValueIndex } from "../../../src/policy/flows/labels.js";
import { openFlows } from "../../../src/policy/flows/open-flows.js";
import { parsePolicy } from "../../../src/policy/index.js";
import { rounds } from "../../support/rounds.js";

const parse = (document: Json) => {
  const lineOf = (path: readonly (string | number)[]) => (path[0] === "flows" ? Number(path[1]) + 10 : 2);
  return parsePolicy(document, { file: "policy.yaml", lineOf });
};
const problemsOf = (document: Json) =>
  parse(document).problems.map(({ line, message }) => `${line}: ${message}`);
const openOne = (document: Json) => {
  const { policy, problems } = parse(document);
  expect(problems).toEqual([]);
  const flows = openFlows([policy]);
  if (flows === undefined) throw new Error("There are no flows");
  return flows;
};
const toTool = (server: string, name: string, isReadOnly = false) => ({
  server,
  name,
  isReadOnly,
  isDestructive: false,
  isExternal: false,
});
const set = (...labels: readonly string[]): Labels => new Set(labels);
const all = (labels: Labels, parts: readonly (Labels | undefined)[] = []) => ({
  total: labels,
  parts,
  context: noLabels,
  run: labels,
});

describe("parsePolicy()", () => {
  it("reports what is wrong with labels and flows, with the line and the nearest name", () => {
    expect(
      problemsOf({
        labels: { private: ["crm"], writes: ["a.*"], own: ["reads", 7] },
        flows: [
          { deny: "privat -> web.*" },
          { deny: "private web.*" },
          { deny: "private -> web.*", ask: "private -> web.*" },
          { dney: "private -> web.*" },
          "private -> web.*",
          { deny: "private -> web.*(to: x)" },
          { deny: "private -> web.post#" },
          { deny: "private -> web.*", because: 1 },
        ],
        preset: "rule-of-three",
        context: "untrustd",
      }),
    ).toEqual([
      '2: "labels.private.0": "crm" selects nothing, expected "server.tool", with "*" for any part, or one of reads, writes, destructive, external',
      '2: "labels.writes": is not a name of a label, expected letters, digits and hyphens, and no class of tools',
      '2: "labels.own": is not a list of strings',
      '10: "flows.0": "privat" is no label, did you mean "private"?',
      '11: "flows.1": "private web.*" is not clear, expected "SOURCE -> DESTINATION, …"',
      '12: "flows.2": is not clear, expected one of allow, ask and deny, like { deny: "private -> web.*" }',
      '13: "flows.3.dney": is not a key of a policy, did you mean "deny"?',
      '13: "flows.3": is not clear, expected one of allow, ask and deny, like { deny: "private -> web.*" }',
      '14: "flows.4": is not a flow, expected an object like { deny: "private -> web.*" }',
      '15: "flows.5": it has conditions, expected a tool only',
      '16: "flows.6": "web.post#" has no clear name after "#", expected one like "server.tool#field"',
      '17: "flows.7.because": is not a string',
      '2: "preset": is "rule-of-three", expected rule-of-two',
      '2: "context": "untrustd" is no label, did you mean "untrusted"?',
    ]);
  });

  it("does not restrict calls if a policy is only about data", () => {
    expect(parse({ flows: [{ deny: "private -> web.*" }] }).policy.otherwise).toBe("allow");
    expect(parse({ flows: [{ deny: "private -> web.*" }], allow: ["reads"] }).policy.otherwise).toBe(
      "by effect",
    );
  });
});

describe("openFlows()", () => {
  it("is undefined for policies without labels and flows", () => {
    expect(openFlows([parse({ allow: ["reads"], hide: ["email"] }).policy])).toBeUndefined();
  });

  it("labels tools and single fields", () => {
    const { describe: describeTool } = openOne({
      labels: { private: ["crm.*"], untrusted: ["crm.get_note#body", "mail.*"] },
    });
    expect(describeTool(toTool("crm", "get_note"))).toEqual({
      whole: set("private"),
      fields: [{ path: ["body"], label: "untrusted" }],
    });
    expect(describeTool(toTool("mail", "x")).whole).toEqual(set("untrusted"));
    expect(describeTool(toTool("web", "x")).whole).toEqual(noLabels);
  });

  it("applies to whole calls, single arguments and classes", () => {
    const flows = openOne({
      flows: [{ deny: "private -> web.post#text" }, { ask: "private -> writes" }],
    });
    const tool = toTool("web", "post");
    expect(flows.listArguments(tool)).toEqual([["text"]]);
    expect(flows.decide(tool, all(set("private"), [set("private")])).answer).toBe("deny");
    expect(flows.decide(tool, all(set("private"), [noLabels])).answer).toBe("ask");
    expect(flows.decide(tool, all(noLabels, [noLabels])).answer).toBe("allow");
    expect(flows.decide(toTool("web", "get", true), all(set("private"))).answer).toBe("allow");
  });

  it("counts the context for untrusted data only, and all that was read if it is strict", () => {
    const flows = openOne({
      flows: [{ ask: "untrusted -> a.*" }, { ask: "private -> b.*" }, { ask: "private -> c.* strictly" }],
    });
    const read = { total: noLabels, parts: [], context: set("untrusted", "private"), run: set("private") };
    expect(flows.decide(toTool("a", "x"), read).answer).toBe("ask");
    expect(flows.decide(toTool("b", "x"), read).answer).toBe("allow");
    expect(flows.decide(toTool("c", "x"), read).answer).toBe("ask");
  });

  it("uses labels and stricter flows of narrowing policies, but not what they allow", () => {
    const base = parse({ labels: { private: ["crm.*"] } }).policy;
    const other = parse({
      labels: { private: ["erp.*"] },
      flows: [{ deny: "private -> web.*" }, { allow: "private -> mail.*" }],
    }).policy;
    const flows = openFlows([base, other]);
    expect(flows?.describe(toTool("erp", "x")).whole).toEqual(set("private"));
    expect(flows?.decide(toTool("web", "x"), all(set("private"))).answer).toBe("deny");
    expect(flows?.allows(["private"], toTool("mail", "send"), ["to"])).toBe(false);
  });

  it("allows hidden values for exactly the argument that a flow names, never for a field that is not certain", () => {
    const flows = openOne({ flows: [{ allow: "crm.get#email -> mail.send#to" }] });
    const tool = toTool("mail", "send");
    expect(flows.allows(["crm.get#email"], tool, ["to"])).toBe(true);
    expect(flows.allows(["crm.get#email"], tool, ["to", "address"])).toBe(true);
    expect(flows.allows(["crm.get#email"], tool, ["body"])).toBe(false);
    expect(flows.allows(["crm.get#email?"], tool, ["to"])).toBe(false);
    expect(flows.allows(["crm.get#phone"], tool, ["to"])).toBe(false);
  });
});

/** A small generator, so that a failure can be repeated. */
const openChance = (seed: number) => {
  let state = seed;
  const next = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return { next, pick: <Value>(values: readonly Value[]): Value => values[next(values.length)] as Value };
};
const rank = { allow: 0, ask: 1, deny: 2 } as const;
const names = ["private", "untrusted", "own"];
const tools = ["web.post", "web.get", "mail.send", "crm.get"].map((text) => {
  const [server = "", name = ""] = text.split(".");
  return toTool(server, name, name === "get");
});

const drawFlow = ({ pick, next }: ReturnType<typeof openChance>): JsonObject => {
  const destination = () =>
    pick(["web.*", "mail.send", "*.get", "writes", "reads", "web.post#text", "external", "crm.get#id"]);
  const ends = Array.from({ length: 1 + next(3) }, destination).join(", ");
  return {
    [pick(["allow", "ask", "deny"])]: `${pick(names)} -> ${ends}${next(4) === 0 ? " strictly" : ""}`,
  };
};
const drawSet = ({ pick, next }: ReturnType<typeof openChance>): Labels =>
  new Set(Array.from({ length: next(3) }, () => pick(names)));

describe("any flows", () => {
  const owned = { labels: { own: ["crm.*"] } };
  const decideAll = (flows: readonly JsonObject[], seed: number) => {
    const opened = openFlows([parse({ ...owned, flows: [...flows] }).policy]);
    const chance = openChance(seed);
    return tools.map((tool) => {
      const total = drawSet(chance);
      const context = drawSet(chance);
      const run = joinLabels(joinLabels(total, context), drawSet(chance));
      const text = chance.next(2) === 0 ? undefined : total;
      const parts = (opened?.listArguments(tool) ?? []).map(() => text);
      return rank[opened?.decide(tool, { total, parts, context, run }).answer ?? "allow"];
    });
  };

  it("decide the same in any order, and a further deny or ask never allows more", () => {
    for (let round = 0; round < rounds(2000, 100_000); round++) {
      const chance = openChance(round);
      const flows = Array.from({ length: 1 + chance.next(5) }, () => drawFlow(chance));
      const answers = decideAll(flows, round);
      expect(decideAll([...flows].reverse(), round)).toEqual(answers);
      const more = decideAll([...flows, drawFlow(chance)], round);
      expect(more.every((answer, at) => answer >= (answers[at] ?? 0))).toBe(true);
    }
  });
});

const schema = {
  type: "object",
  properties: { to: { type: "string" }, mode: { enum: ["fast", "slow"] }, flag: { type: "boolean" } },
} as const;

describe("labelArguments()", () => {
  const run = set("private");
  const index = openValueIndex();
  index.addText("public text", noLabels);
  index.addText("70123", noLabels);
  index.addText("secret text", run);
  const label = (value: JsonObject, literals: readonly string[] = []) =>
    labelArguments(
      value,
      {
        context: set("untrusted"),
        run,
        isLiteral: (name) => literals.includes(name),
        findText: index.find,
        findToken: () => undefined,
        findStored: () => undefined,
        schema: readArgumentFacts(schema as never),
      },
      [["to"]],
    );

  it("labels literals by what the model has read, and texts of answers by their answers", () => {
    expect(label({ to: "anything" }, ["to"])).toEqual({ total: set("untrusted"), parts: [set("untrusted")] });
    expect(label({ to: "public text" })).toEqual({ total: noLabels, parts: [noLabels] });
    expect(label({ to: "secret text" })).toEqual({ total: run, parts: [run] });
    expect([label({ to: 70_123 }).total, label({ to: "70123" }).total]).toEqual([noLabels, noLabels]);
    expect(label({ mode: "fast", flag: true })).toEqual({ total: noLabels, parts: [undefined] });
  });

  it.each<[string, JsonObject]>([
    ["a built text", { to: "public text!" }],
    ["a short text", { to: "abc" }],
    ["a short number", { to: 1 }],
    ["a computed number", { to: 70_124 }],
    ["a value that is not in the enum", { mode: "other" }],
    ["flags in a list", { to: [true, false] as never }],
    ["empty objects in a list", { to: [{}, []] as never }],
    ["a name that the tool does not declare", { xyz: true }],
    [
      "many flags",
      {
        to: Object.fromEntries(
          "to,mode,flag".split(",").map((name) => [name, { to: true, mode: true, flag: false }]),
        ) as never,
      },
    ],
    ["a value deep inside", { to: { to: { to: ["x1"] } } as never }],
    ["more values than are followed", { to: Array.from({ length: 30_000 }, () => "public text") as never }],
  ])("labels %s by everything that was read", (_name, value) => {
    expect(label(value).total).toEqual(run);
  });

  it("labels arguments by everything that was read if one of their values is not proven", () => {
    const proven: ReadonlySet<Json> = new Set<Json>(["public text"]);
    for (let round = 0; round < rounds(1000, 50_000); round++) {
      const chance = openChance(round);
      let isProven = true;
      const draw = (depth: number): Json => {
        if (chance.next(2) === 0 && depth < 4)
          return chance.next(2) === 0
            ? [draw(depth + 1), draw(depth + 1)]
            : { to: draw(depth + 1), mode: draw(depth + 1) };
        const leaf = chance.pick<Json>(["public text", "public text", "secret text", "other", 1, "abc"]);
        isProven &&= proven.has(leaf);
        return leaf;
      };
      expect(label({ to: draw(0) }).total).toEqual(isProven ? noLabels : run);
    }
  });
});

describe("openValueIndex()", () => {
  it("gives each text the labels of all answers that have it, by field", () => {
    const index = openValueIndex();
    const source = { whole: noLabels, fields: [{ path: ["body"], label: "untrusted" }] };
    const answer = { rows: [{ id: "id-1", body: "some text" }] };
    expect(index.addJson(answer, source, noLabels)).toEqual(set("untrusted"));
    expect(index.find("id-1")).toEqual(noLabels);
    expect(index.find("some text")).toEqual(set("untrusted"));
    index.addJson({ id: 70_123, large: toExactInteger(12345678901234567890n) } as never, source, noLabels);
    expect([index.find("70123"), index.find("12345678901234567890")]).toEqual([noLabels, noLabels]);
    index.addText("id-1", set("private"));
    expect(index.find("id-1")).toEqual(set("private"));
  });

  it("labels JSON inside a text by all fields, because it has not been read", () => {
    const index = openValueIndex();
    const source = { whole: noLabels, fields: [{ path: ["body"], label: "untrusted" }] };
    expect(index.addJson({ text: '{"body":"x"}' }, source, noLabels)).toEqual(set("untrusted"));
  });

  it("finds nothing after too many texts, or after an answer that is nested too deeply", () => {
    const index = openValueIndex();
    index.addText("known", noLabels);
    for (let at = 0; at < 50_001; at++) index.addText(`text ${at}`, noLabels);
    expect(index.find("known")).toBeUndefined();
    const deep = openValueIndex();
    deep.addText("known", noLabels);
    const nested = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`) as Json;
    expect(
      deep.addJson(nested, { whole: set("a"), fields: [{ path: ["b"], label: "b" }] }, noLabels),
    ).toEqual(set("a", "b"));
    expect(deep.find("known")).toBeUndefined();
  });
});
