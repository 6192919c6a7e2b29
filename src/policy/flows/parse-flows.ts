// Reads the parts of a policy about data: labels of sources, flows from sources to destinations, a preset, and what a model has read elsewhere.
import type { Json, JsonObject } from "../../contracts/index.js";
import { isJsonObject } from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import type { DocumentPath, PolicyReader } from "../parse-policy.js";
import { parseRule, policyClasses, RuleSyntaxError, type Selector } from "../parse-rule.js";
import { type PolicyAnswer, policyAnswers } from "../policy.js";
import { untrusted } from "./labels.js";

/** Where data comes from: tools, or a field of what they answer. */
export interface Source {
  readonly selector: Selector;
  readonly field?: readonly string[] | undefined;
}

/** Where data goes: tools, or one of their arguments. */
export interface Destination {
  readonly selector: Selector;
  readonly argument?: readonly string[] | undefined;
}

interface Place {
  /** As it was written. */
  readonly text: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export interface LabelRule extends Place, Source {
  readonly label: string;
}

export interface Flow extends Place {
  readonly answer: PolicyAnswer;
  /** Labels that must all be there. A source that is a field has its own text as label. */
  readonly sources: readonly string[];
  readonly destinations: readonly Destination[];
  /** All that the run has read counts, not only what is in the arguments. */
  readonly isStrict: boolean;
  /** What programs, models and people read. It never contains the sources or destinations. */
  readonly name: string;
  readonly because?: string | undefined;
}

export interface FlowPolicy {
  readonly labels: readonly LabelRule[];
  readonly flows: readonly Flow[];
  /** Labels of whatever the model may have read elsewhere. */
  readonly context: readonly string[];
}

export const noFlows: FlowPolicy = { labels: [], flows: [], context: [] };

export const flowKeys = ["labels", "flows", "preset", "context"] as const;

const privacyLabel = "private";
const maxFlows = 1000;
const maxLabels = 5000;
const labelForm = /^[A-Za-z][\w-]{0,49}$/;
const strictly = /\sstrictly$/;

const isClass = (text: string): boolean => policyClasses.some((name) => name === text);

/** `server.tool` or a class, with `#name` for one field or argument. Throws RuleSyntaxError. */
const parseEnd = (text: string): Source & Destination => {
  const [whole = "", name, ...rest] = text.split("#");
  const { selector, conditions } = parseRule(whole);
  if (conditions.length > 0) throw new RuleSyntaxError("it has conditions, expected a tool only");
  if (name === undefined) return { selector };
  const path = name.replaceAll("[]", "").split(".");
  if (rest.length > 0 || path.some((part) => part.trim() === "" || /[\s()*]/.test(part)))
    throw new RuleSyntaxError(
      `${JSON.stringify(text.slice(0, 80))} has no clear name after "#", expected one like "server.tool#field"`,
    );
  return { selector, field: path, argument: path };
};

export const parseFlows = (document: JsonObject, reader: PolicyReader): FlowPolicy => {
  const { report, checkKeys, readTexts, toPlace } = reader;
  const attempt = <Value>(path: DocumentPath, read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof RuleSyntaxError)) throw thrown;
      report(path, thrown.message);
      return undefined;
    }
  };
  const labels: LabelRule[] = [];
  const known = new Set([privacyLabel, untrusted]);
  const written = document.labels;
  if (written !== undefined && !isJsonObject(written))
    report(["labels"], 'is not an object like { private: ["crm.*"] }');
  for (const [label, value] of Object.entries(isJsonObject(written) ? written : {})) {
    const path = ["labels", label];
    if (!labelForm.test(label) || isClass(label)) {
      report(path, "is not a name of a label, expected letters, digits and hyphens, and no class of tools");
      continue;
    }
    known.add(label);
    for (const [index, text] of readTexts(value, path).entries()) {
      const at = [...path, index];
      const source = attempt(at, () => parseEnd(text));
      if (source?.selector.kind === "class") report(at, `is a class, expected "server.tool" or "server.*"`);
      else if (source !== undefined)
        labels.push({ label, text, selector: source.selector, field: source.field, ...toPlace(at) });
    }
  }
  const checkLabel = (label: string, path: DocumentPath): void => {
    if (known.has(label)) return;
    const [near] = nearestNames(label, [...known], 1);
    const hint = near === undefined ? `expected ${[...known].join(", ")}` : `did you mean "${near}"?`;
    report(path, `${JSON.stringify(label.slice(0, 80))} is no label, ${hint}`);
  };
  /** A source without a label becomes its own label. */
  const readSource = (text: string, path: DocumentPath): string | undefined => {
    if (labelForm.test(text)) {
      checkLabel(text, path);
      return text;
    }
    const source = attempt(path, () => parseEnd(text));
    if (source === undefined) return undefined;
    labels.push({
      label: text,
      text,
      selector: source.selector,
      field: source.field,
      ...toPlace(path),
    });
    return text;
  };

  const readFlow = (entry: Json, index: number): Flow | undefined => {
    const path = ["flows", index];
    if (!isJsonObject(entry)) {
      report(path, 'is not a flow, expected an object like { deny: "private -> web.*" }');
      return undefined;
    }
    checkKeys(entry, [...policyAnswers, "because", "name"], path);
    const [answer, ...others] = policyAnswers.filter((one) => entry[one] !== undefined);
    for (const key of ["because", "name"] as const)
      if (entry[key] !== undefined && typeof entry[key] !== "string")
        report([...path, key], "is not a string");
    const text = answer === undefined ? undefined : entry[answer];
    if (answer === undefined || others.length > 0 || typeof text !== "string") {
      report(path, 'is not clear, expected one of allow, ask and deny, like { deny: "private -> web.*" }');
      return undefined;
    }
    const isStrict = strictly.test(text);
    const [from = "", to, ...rest] = text.replace(strictly, "").split("->");
    if (to === undefined || rest.length > 0 || from.trim() === "" || to.trim() === "") {
      report(path, `${JSON.stringify(text.slice(0, 80))} is not clear, expected "SOURCE -> DESTINATION, …"`);
      return undefined;
    }
    const source = readSource(from.trim(), path);
    const destinations = to.split(",").flatMap((part): readonly Destination[] => {
      const end = attempt(path, () => parseEnd(part.trim()));
      return end === undefined ? [] : [{ selector: end.selector, argument: end.argument }];
    });
    const { name, because } = entry;
    return {
      answer,
      sources: source === undefined ? [] : [source],
      destinations,
      isStrict,
      text,
      name: typeof name === "string" && name.trim() !== "" ? name : `flow ${index + 1}`,
      because: typeof because === "string" ? because : undefined,
      ...toPlace(path),
    };
  };

  const list = document.flows;
  if (list !== undefined && !Array.isArray(list)) report(["flows"], "is not a list of flows");
  const entries = Array.isArray(list) ? (list as readonly Json[]) : [];
  const flows = entries.flatMap((entry, index) => readFlow(entry, index) ?? []);
  const { preset, context } = document;
  if (preset === "rule-of-two") flows.push({ ...ruleOfTwo, ...toPlace(["preset"]) });
  else if (preset !== undefined) report(["preset"], `is ${JSON.stringify(preset)}, expected rule-of-two`);
  const given = typeof context === "string" ? [context] : readTexts(context, ["context"]);
  for (const label of given) checkLabel(label, ["context"]);
  if (flows.length > maxFlows) report(["flows"], `has ${flows.length} flows, expected at most ${maxFlows}`);
  if (labels.length > maxLabels)
    report(["labels"], `has ${labels.length} sources, expected at most ${maxLabels}`);
  return { labels, flows, context: given };
};

/** Rule of two: untrusted text, private data, and a write or an external call. A run with two of them must ask for the third. */
const ruleOfTwo: Flow = {
  answer: "ask",
  sources: [untrusted, privacyLabel],
  destinations: [
    { selector: { kind: "class", name: "writes" } },
    { selector: { kind: "class", name: "external" } },
  ],
  isStrict: true,
  text: "untrusted and private -> writes, external strictly",
  name: "rule of two",
  because: "the run has read private data and untrusted text",
};
