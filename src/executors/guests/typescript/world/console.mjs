// The guest's console: readable lines, groups, tables, counters and timers. Each line is passed on as it is printed.
import { inspect } from "./inspect.mjs";

const { keys, freeze } = Object;
const { isArray } = Array;
const NumberOf = Number;
const StringOf = String;
const parseWhole = Number.parseInt;
const parseDecimal = Number.parseFloat;
const now = Date.now;

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
