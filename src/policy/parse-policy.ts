// Reads a policy document. Reports every problem with its place, instead of stopping at the first one.
import { isJsonObject, type Json, type JsonObject } from "../contracts/index.js";
import { nearestNames } from "../schema/index.js";
import { flowKeys, noFlows, parseFlows } from "./flows/parse-flows.js";
import { parseGuardrails } from "./guardrails.js";
import { parseRule, type RulePattern, RuleSyntaxError } from "./parse-rule.js";
import {
  asksBy,
  type Policy,
  type PolicyAnswer,
  type PolicyRule,
  policyAnswers,
  type Reveal,
} from "./policy.js";
import { type HiddenKind, hiddenKinds } from "./privacy/kinds.js";
import { parseDetector } from "./privacy/outside-findings.js";
import { readUndo } from "./undo/inverse-calls.js";

/** Keys from the document's root to a value in it. */
export type DocumentPath = readonly (string | number)[];

export interface PolicyProblem {
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export interface ParsedPolicy {
  readonly policy: Policy;
  readonly problems: readonly PolicyProblem[];
}

export interface PolicySource {
  readonly file?: string | undefined;
  /** The line of a value in the file. */
  readonly lineOf?: ((path: DocumentPath) => number | undefined) | undefined;
}

/** Reads parts of one policy document, and reports what is wrong with them. */
export interface PolicyReader {
  readonly report: (path: DocumentPath, message: string) => void;
  readonly checkKeys: (value: JsonObject, known: readonly string[], path: DocumentPath) => void;
  /** A list of texts. Empty if there is none. */
  readonly readTexts: (value: Json | undefined, path: DocumentPath) => readonly string[];
  /** The file and line of a value. */
  readonly toPlace: (path: DocumentPath) => Pick<PolicyProblem, "file" | "line">;
}

const maxRules = 10_000;
const maxRepeats = 100_000;
const keys = [
  "allow",
  "ask",
  "deny",
  "default",
  "distrust",
  "roles",
  "askBy",
  "maxRepeats",
  "hide",
  "reveal",
  "undo",
  "guardrails",
  "detector",
  ...flowKeys,
];
const roleKeys = ["callers", ...policyAnswers];
const ruleKeys = ["rule", "name", "because", "unless"];

/** A policy that says nothing. */
const noRules: Omit<Policy, "otherwise"> = {
  rules: [],
  distrust: [],
  hide: [],
  reveal: [],
  guardrails: [],
  data: noFlows,
  roles: new Map(),
};

const isAnswer = (value: Json | undefined): value is PolicyAnswer =>
  policyAnswers.some((answer) => answer === value);

const openReader = ({ file, lineOf }: PolicySource, problems: PolicyProblem[]): PolicyReader => {
  const toPlace: PolicyReader["toPlace"] = (path) => ({ file, line: lineOf?.(path) });
  const report: PolicyReader["report"] = (path, message) => {
    problems.push({ message: `"${path.join(".") || "policy"}": ${message}`, ...toPlace(path) });
  };
  return {
    report,
    toPlace,
    checkKeys: (value, known, path) => {
      for (const key of Object.keys(value)) {
        if (known.includes(key)) continue;
        const [near] = nearestNames(key, known, 1);
        const hint = near === undefined ? `expected ${known.join(", ")}` : `did you mean "${near}"?`;
        report([...path, key], `is not a key of a policy, ${hint}`);
      }
    },
    readTexts: (value, path) => {
      if (value === undefined) return [];
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      report(path, "is not a list of strings");
      return [];
    },
  };
};

export const parsePolicy = (document: Json, source: PolicySource = {}): ParsedPolicy => {
  const problems: PolicyProblem[] = [];
  const reader = openReader(source, problems);
  const { report, checkKeys, readTexts, toPlace } = reader;
  const readPattern = (text: Json | undefined, path: DocumentPath): RulePattern | undefined => {
    if (typeof text !== "string") {
      report(path, 'is not a rule, expected a string like "server.tool(argument: pattern)"');
      return undefined;
    }
    try {
      return parseRule(text);
    } catch (thrown) {
      if (!(thrown instanceof RuleSyntaxError)) throw thrown;
      report(path, thrown.message);
      return undefined;
    }
  };
  const readRule = (
    entry: Json,
    path: DocumentPath,
    facts: Pick<PolicyRule, "answer" | "role" | "name">,
  ): readonly PolicyRule[] => {
    const written = isJsonObject(entry) ? entry : { rule: entry };
    checkKeys(written, ruleKeys, path);
    const { rule, name, because, unless } = written;
    for (const [key, value] of Object.entries({ name, because }))
      if (value !== undefined && typeof value !== "string") report([...path, key], "is not a string");
    const exceptions =
      unless === undefined ? [] : Array.isArray(unless) ? (unless as readonly Json[]) : [unless];
    const pattern = readPattern(rule, path);
    if (pattern === undefined) return [];
    return [
      {
        ...facts,
        pattern,
        unless: exceptions.flatMap((text) => readPattern(text, [...path, "unless"]) ?? []),
        name: typeof name === "string" && name.trim() !== "" ? name : facts.name,
        because: typeof because === "string" ? because : undefined,
        ...toPlace(path),
      },
    ];
  };
  const readRules = (value: JsonObject, path: DocumentPath, role?: string): readonly PolicyRule[] =>
    policyAnswers.flatMap((answer) => {
      const list = value[answer];
      if (list === undefined) return [];
      if (!Array.isArray(list)) {
        report([...path, answer], "is not a list of rules");
        return [];
      }
      return (list as readonly Json[]).flatMap((entry, index) =>
        readRule(entry, [...path, answer, index], {
          answer,
          role,
          name: `${role === undefined ? "" : `${role}: `}${answer} ${index + 1}`,
        }),
      );
    });

  const readKinds = (value: Json | undefined, path: DocumentPath): readonly HiddenKind[] => {
    if (value === "all") return hiddenKinds;
    return readTexts(value, path).flatMap((text, index) => {
      const kind = hiddenKinds.find((one) => one === text);
      if (kind === undefined)
        report(
          [...path, index],
          `is ${JSON.stringify(text.slice(0, 50))}, expected one of ${hiddenKinds.join(", ")}`,
        );
      return kind ?? [];
    });
  };
  const readReveal = (value: Json | undefined): readonly Reveal[] => {
    if (value === undefined) return [];
    if (!isJsonObject(value)) {
      report(["reveal"], 'is not an object like { "mail.send": [email] }');
      return [];
    }
    return Object.entries(value).flatMap(([text, kinds]) => {
      const path = ["reveal", text];
      const pattern = readPattern(text, path);
      if (pattern !== undefined && pattern.conditions.length > 0)
        report(path, "has conditions, expected a tool only");
      if (pattern === undefined) return [];
      const { selector } = pattern;
      return { selector, text, kinds: readKinds(kinds, path), line: toPlace(path).line };
    });
  };

  if (!isJsonObject(document)) {
    report([], "is not an object, expected allow, ask and deny with lists of rules");
    return { policy: { ...noRules, otherwise: "by effect" }, problems };
  }
  checkKeys(document, keys, []);
  const roles = new Map<string, readonly string[]>();
  const rules = [...readRules(document, [])];
  const written = document.roles;
  if (written !== undefined && !isJsonObject(written))
    report(["roles"], "is not an object with names of roles");
  for (const [role, value] of Object.entries(isJsonObject(written) ? written : {})) {
    const path = ["roles", role];
    if (!isJsonObject(value)) {
      report(path, "is not an object with callers and rules");
      continue;
    }
    checkKeys(value, roleKeys, path);
    roles.set(role, readTexts(value.callers, [...path, "callers"]));
    rules.push(...readRules(value, path, role));
  }
  if (rules.length > maxRules) report([], `has ${rules.length} rules, expected at most ${maxRules}`);
  const otherwise = document.default;
  if (otherwise !== undefined && !isAnswer(otherwise))
    report(["default"], `is ${JSON.stringify(otherwise)}, expected allow, ask or deny`);
  const { askBy, maxRepeats: repeats } = document;
  if (askBy !== undefined && !asksBy.some((one) => one === askBy))
    report(["askBy"], `is ${JSON.stringify(askBy)}, expected call or program`);
  const isCount = typeof repeats === "number" && Number.isInteger(repeats) && repeats >= 1;
  if (repeats !== undefined && (!isCount || repeats > maxRepeats))
    report(["maxRepeats"], `is ${JSON.stringify(repeats)}, expected a whole number from 1 to ${maxRepeats}`);
  // A policy that only hides or guards texts, or only says how calls are undone, says nothing about which calls are made.
  const isAboutOthers =
    ["hide", "guardrails", "undo", ...flowKeys].some((key) => key in document) &&
    ![...policyAnswers, "roles"].some((key) => key in document);
  return {
    policy: {
      askBy: asksBy.find((one) => one === askBy),
      maxRepeats: isCount ? repeats : undefined,
      rules: rules.slice(0, maxRules),
      otherwise: isAnswer(otherwise) ? otherwise : isAboutOthers ? "allow" : "by effect",
      hide: readKinds(document.hide, ["hide"]),
      file: source.file,
      reveal: readReveal(document.reveal),
      detector: parseDetector(document.detector, reader),
      undo: readUndo(document.undo, reader),
      guardrails: parseGuardrails(document.guardrails, reader),
      data: parseFlows(document, reader),
      distrust: readTexts(document.distrust, ["distrust"]),
      roles,
    },
    problems,
  };
};

/** Rules of the setting `approve`: they ask, and leave everything else as it is. */
export const toApprovalPolicy = (rules: readonly string[]): Policy => ({
  ...noRules,
  rules: rules.map((text, index) => ({
    answer: "ask",
    pattern: parseRule(text),
    unless: [],
    name: `approve ${index + 1}`,
  })),
  otherwise: "allow",
});
