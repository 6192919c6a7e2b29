// The guest's console (lines, groups, tables, counters, timers), and how any value becomes text: plain data as JSON, the rest distinguishable from it.
import { isPromiseRefusal, refusePrintedPromise } from "./to-json.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break what it prints.
const { stringify } = JSON;
const { freeze, getPrototypeOf, keys, getOwnPropertyDescriptor } = Object;
const { isArray } = Array;
const { parseInt: parseWhole, parseFloat: parseDecimal } = Number;
const { now } = Date;
const NumberOf = Number;
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

const formats = {
  s: (value) => (typeof value === "object" ? inspect(value) : StringOf(value)),
  d: (value) => StringOf(NumberOf(value)),
  i: (value) => StringOf(parseWhole(value, 10)),
  f: (value) => StringOf(parseDecimal(value)),
  j: inspect,
  o: inspect,
  O: inspect,
  c: () => "",
};

/** @type {(values: readonly unknown[]) => string} */
const toLine = (values) => {
  const [first, ...rest] = values;
  if (typeof first !== "string" || rest.length === 0 || !first.includes("%"))
    return values.map(inspect).join(" ");
  let used = 0;
  const head = first.replace(/%([sdifjoOc%])/g, (found, letter) => {
    if (letter === "%") return "%";
    return used < rest.length ? formats[letter](rest[used++]) : found;
  });
  return [head, ...rest.slice(used).map(inspect)].join(" ");
};

/** Rows as a Markdown table; a value without rows is printed as it is. */
const toTable = (data, wanted) => {
  if (typeof data !== "object" || data === null) return inspect(data);
  const rows = isArray(data) ? data.map((row, index) => [StringOf(index), row]) : Object.entries(data);
  const isObject = (row) => typeof row === "object" && row !== null;
  const columns = isArray(wanted) ? wanted.map(StringOf) : [];
  if (!isArray(wanted)) {
    for (const [, row] of rows)
      if (isObject(row)) for (const key of keys(row)) if (!columns.includes(key)) columns.push(key);
  }
  const hasValues = rows.some(([, row]) => !isObject(row));
  const toCell = (value) => inspect(value).replaceAll("|", "\\|").replaceAll("\n", " ");
  const cells = rows.map(([name, row]) => [
    name,
    ...columns.map((key) => (isObject(row) && key in row ? toCell(row[key]) : "")),
    ...(hasValues ? [isObject(row) ? "" : toCell(row)] : []),
  ]);
  const head = ["", ...columns, ...(hasValues ? ["value"] : [])];
  return [head, head.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
};

/**
 * @param {(level: string, text: string) => void} print
 * @returns a console whose methods need no `this`
 */
export const createConsole = (print) => {
  let indent = "";
  const counts = new Map();
  const clocks = new Map();
  const write = (level, text) =>
    print(level, indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`));
  const at =
    (level) =>
    (...values) =>
      write(level, toLine(values));
  const openGroup = (...values) => {
    if (values.length > 0) write("log", toLine(values));
    indent += "  ";
  };
  const printTime = (label, values) => {
    const since = clocks.get(label);
    if (since === undefined) return write("warn", `Timer "${label}" does not exist`);
    write("log", [`${label}: ${now() - since}ms`, ...values.map(inspect)].join(" "));
  };
  return freeze({
    log: at("log"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    debug: at("debug"),
    dir: (value) => write("log", inspect(value)),
    dirxml: at("log"),
    trace: (...values) => write("debug", ["Trace:", toLine(values)].join(" ")),
    table: (data, columns) => write("log", toTable(data, columns)),
    group: openGroup,
    groupCollapsed: openGroup,
    groupEnd: () => {
      indent = indent.slice(2);
    },
    assert: (condition, ...values) => {
      if (!condition) write("error", ["Assertion failed", ...values.map(inspect)].join(" "));
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      write("log", `${label}: ${counts.get(label)}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void clocks.set(label, now()),
    timeLog: (label = "default", ...values) => printTime(label, values),
    timeEnd: (label = "default") => {
      printTime(label, []);
      clocks.delete(label);
    },
  });
};
