// Schemas for values in configuration files. Each message says what is expected.
// Schemas are shared because creating one takes time at every start.
import * as z from "zod";
import { approvalRule, approvalRuleWanted } from "../contracts/index.js";

// The final message also names the file, the field and what was found.
export const object = "an object";
const text = "a text that is not empty";
export const trueOrFalse = "true or false";

export const someText = z.string(text).min(1, text);

export const texts = z.array(someText, "a list of texts");

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

/** A switch that is off by default. */
export const off = z.boolean(trueOrFalse).default(false);

/** How to start servers that use a package runner. */
export const launch = oneOf(["direct", "as written"]);

/** How long to wait for a server, in milliseconds. */
export const timeout = wholeNumber(3_600_000);
/** How long to keep an idle server, in milliseconds. */
export const idleTimeout = wholeNumber(86_400_000);
