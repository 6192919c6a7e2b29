// The rules that configuration files are checked by; the message of each says what is wanted.
// A schema is shared wherever the rule is the same: each one made takes time at every start.
import * as z from "zod";
import { approvalRule, approvalRuleWanted } from "../contracts/index.js";

// The file, the field and what was found are added where a message is shown.
export const object = "an object";
const text = "a text that is not empty";
export const trueOrFalse = "true or false";

export const someText = z.string(text).min(1, text);

export const texts = z.array(someText, "a list of texts");

/** Rules for approval. */
export const approvalRules = z.array(
  z.string(text).regex(approvalRule, approvalRuleWanted),
  "a list of texts",
);

export const noTexts = texts.default([]);

export const wholeNumber = (maximum: number) => {
  const wanted = `a whole number from 1 to ${maximum}`;
  return z.int(wanted).check(z.gte(1, wanted), z.lte(maximum, wanted));
};

export const oneOf = <const Names extends readonly [string, string, ...string[]]>(names: Names) => {
  const quoted = names.map((name) => `"${name}"`);
  return z.enum(names, `one of ${quoted.length === 2 ? quoted.join(" and ") : quoted.join(", ")}`);
};

/** A switch that is off unless it is set. */
export const off = z.boolean(trueOrFalse).default(false);

/** How servers are started that a package runner starts. */
export const launch = oneOf(["direct", "as written"]);

/** How long to wait for a server. */
export const timeout = wholeNumber(3_600_000);
/** How long to keep one that is not used. */
export const idleTimeout = wholeNumber(86_400_000);
