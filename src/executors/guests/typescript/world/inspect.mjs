// Formats any value as text for people and models: plain data as JSON, everything else distinguishable from it.
import { isPromiseRefusal, refusePrintedPromise } from "./to-json.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break what it prints.
const { stringify } = JSON;
const { getPrototypeOf, keys, getOwnPropertyDescriptor } = Object;
const { isArray } = Array;
const StringOf = String;
const ErrorClass = Error;
const objectPrototype = Object.prototype;
const isView = ArrayBuffer.isView;
const DateClass = Date;
const MapClass = Map;
const SetClass = Set;
const RegExpClass = RegExp;
const PromiseClass = Promise;

const notAwaited = '[Promise: an "await" is missing before the call that created it]';

/** Deeper values are named instead of shown. */
const maxDepth = 40;

/**
 * The text of a value as `console.log` prints it.
 * @param {unknown} value
 * @returns {string}
 */
export const inspect = (value) => {
  if (typeof value === "string") return value;
  try {
    return toText(value, []);
  } catch (error) {
    if (isPromiseRefusal(error)) throw error;
    // A getter or proxy of the program threw.
    return `[Not shown: ${error instanceof ErrorClass ? error.message : "an exception"}]`;
  }
};

let isThrown = false;

/**
 * The text of what a program threw. A promise in it is named: refusing it would hide everything else.
 * @param {unknown} value
 * @returns {string}
 */
export const inspectThrown = (value) => {
  isThrown = true;
  try {
    return inspect(value);
  } finally {
    isThrown = false;
  }
};

/** @type {(value: any, parents: unknown[]) => string} */
const toText = (value, parents) => {
  if (typeof value === "string") return stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return toFunctionName(value);
  if (typeof value !== "object" || value === null) return StringOf(value);
  if (parents.includes(value)) return "[Circular]";
  if (parents.length >= maxDepth) return isArray(value) ? "[Array]" : "[Object]";
  parents.push(value);
  const text = toObjectText(value, parents);
  parents.pop();
  return text;
};

/** @type {(value: any, parents: unknown[]) => string} */
const toObjectText = (value, parents) => {
  if (isArray(value)) return toList(value, parents);
  if (value instanceof ErrorClass) return toErrorText(value, parents);
  if (value instanceof DateClass)
    return StringOf(Number(value)) === "NaN" ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExpClass) return StringOf(value);
  const name = toClassName(value);
  if (value instanceof MapClass) {
    const entries = [...value].map(([key, item]) => `${toText(key, parents)} => ${toText(item, parents)}`);
    return `${name}(${value.size}) {${entries.join(", ")}}`;
  }
  if (value instanceof SetClass)
    return `${name}(${value.size}) {${[...value].map((item) => toText(item, parents)).join(", ")}}`;
  if (isView(value) && "length" in value) return `${name}(${value.length}) ${toList(value, parents)}`;
  if (value instanceof PromiseClass) return isThrown ? notAwaited : refusePrintedPromise();
  // An object with its own string form uses it: a URL, a class of the program.
  if (typeof value.toJSON === "function") {
    const json = value.toJSON();
    if (json !== value)
      return typeof json === "string" && parents.length === 1 ? json : toText(json, parents);
  }
  return `${name === "Object" ? "" : `${name} `}${toFields(value, parents)}`;
};

const toList = (value, parents) => {
  const items = [];
  for (let index = 0; index < value.length; index++) items.push(toText(value[index], parents));
  return `[${items.join(",")}]`;
};

const toFields = (value, parents) => {
  const fields = [];
  for (const key of keys(value)) {
    const property = getOwnPropertyDescriptor(value, key);
    const text = property?.get === undefined ? toText(value[key], parents) : "[Getter]";
    fields.push(`${stringify(key)}:${text}`);
  }
  return `{${fields.join(",")}}`;
};

const toErrorText = (error, parents) => {
  const head = error.message === "" ? StringOf(error.name) : `${error.name}: ${error.message}`;
  const fields = keys(error).length > 0 ? ` ${toFields(error, parents)}` : "";
  const cause = getOwnPropertyDescriptor(error, "cause");
  return `${head}${fields}${cause === undefined ? "" : ` [cause: ${toText(cause.value, parents)}]`}`;
};

const toFunctionName = (value) => {
  const kind = /^class\b/.test(StringOf(value)) ? "Class" : "Function";
  return `[${kind} ${value.name || "anonymous"}]`;
};

const toClassName = (value) => {
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === objectPrototype) return "Object";
  const name = prototype.constructor?.name;
  return typeof name === "string" && name !== "" ? name : "Object";
};
