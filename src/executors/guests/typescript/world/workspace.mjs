// Persistent state as a program sees it: `fs`, the `workspace` with its helpers for JSON and CSV, `memory`, and named states.
import { createFiles } from "./files.mjs";
import { parseExactly, toJson } from "./to-json.mjs";

const { isArray } = Array;
const { freeze, fromEntries, keys } = Object;
const { stringify } = JSON;

/** Enough for heavy contention; more means that `change` causes conflicts itself. */
const maxTries = 1000;

/** The cells of every row. A line break inside quotes belongs to its cell. @param {string} text */
const readRows = (text) => {
  /** @type {string[][]} */
  const rows = [];
  let row = /** @type {string[]} */ ([]);
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    rows.push(row);
    row = [];
    cell = "";
  };
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === ",") {
      row.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at++;
      endRow();
    } else cell += sign;
  }
  if (isQuoted) throw new SyntaxError("Cannot read the table: a quoted cell is not closed");
  if (cell !== "" || row.length > 0) endRow();
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
};

/** The rows below the header, as records of strings. @param {string} text */
export const parseCsv = (text) => {
  const [header = [], ...rows] = readRows(text);
  return rows.map((cells) => fromEntries(header.map((name, column) => [name, cells[column] ?? ""])));
};

const toCell = (/** @type {unknown} */ value) => {
  if (value === undefined || value === null) return "";
  const isPlain = typeof value === "object" && !(value instanceof Date);
  const text = isPlain ? stringify(value) : value instanceof Date ? value.toISOString() : `${value}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Records as CSV: the header has every field, in order of first occurrence. Rows that are arrays are written as they are.
 * @param {readonly any[]} rows
 */
export const renderCsv = (rows) => {
  const isListed = rows.length > 0 && rows.every((row) => isArray(row));
  const header = isListed ? [] : [...new Set(rows.flatMap((row) => keys(row)))];
  const lines = isListed ? rows : [header, ...rows.map((row) => header.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(toCell).join(",")}\n`).join("");
};

const orUndefined = (/** @type {any} */ value) => (value === null ? undefined : value);

/** The value as it will be read back. */
const checkValue = (/** @type {string} */ what, /** @type {unknown} */ value) => {
  if (toJson(value) === undefined)
    throw new TypeError(`Cannot save ${what}: the value cannot be turned into JSON`);
};

const createFileFunctions = (/** @type {any} */ host, /** @type {ReturnType<typeof createFiles>} */ fs) => {
  /** @type {(path: any) => Promise<any>} */
  const readText = (path) => fs.readFile(path, "utf8");
  return freeze({
    readText,
    writeText: (path, text) => fs.writeFile(path, text),
    appendText: (path, text) => fs.appendFile(path, text),
    readJson: async (path) => {
      const text = await readText(path);
      try {
        return parseExactly(text);
      } catch (/** @type {any} */ error) {
        throw new SyntaxError(`Cannot read "${path}": it is not JSON, ${error.message}`);
      }
    },
    writeJson: async (path, value) => {
      checkValue(`"${path}"`, value);
      await fs.writeFile(path, `${stringify(parseExactly(toJson(value, true) ?? "null"), undefined, 2)}\n`);
    },
    readCsv: async (path) => parseCsv(await readText(path)),
    writeCsv: async (path, rows) => {
      if (!isArray(rows)) throw new TypeError(`Cannot write "${path}": expected a list of rows`);
      await fs.writeFile(path, renderCsv(rows));
    },
    list: (path = "", options) => host.readdir(path, options?.recursive === true),
    exists: (path) => host.exists(path),
    delete: async (path, options) => {
      const exists = await host.exists(path);
      await host.rm(path, options?.recursive === true, true);
      return exists;
    },
  });
};

const createMemory = (/** @type {any} */ host) =>
  freeze({
    save: async (key, value, metadata) => {
      checkValue(`"${key}"`, value);
      return host.memorySave(key, value, metadata);
    },
    load: async (key, fallback) => {
      const entry = await host.memoryLoad(key);
      return entry === null ? fallback : entry.value;
    },
    update: async (key, change) => {
      if (typeof change !== "function")
        throw new TypeError(`Cannot update "${key}": expected a function that takes the current value`);
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await host.memoryLoad(key);
        const value = await change(before === null ? undefined : before.value);
        checkValue(`"${key}"`, value);
        if ((await host.memoryReplace(key, value, before?.revision)) !== null) return value;
      }
      throw new Error(`Cannot update "${key}": it was changed ${maxTries} times by others`);
    },
    delete: (key) => host.memoryDelete(key),
    list: (prefix) => host.memoryList(prefix),
    exists: async (key) => (await host.memoryInfo(key)) !== null,
    info: async (key) => orUndefined(await host.memoryInfo(key)),
  });

/** @param {Record<string, (...values: any[]) => Promise<any>>} host */
export const createWorkspace = (host) => {
  const fs = createFiles(host);
  return freeze({
    fs,
    workspace: createFileFunctions(host, fs),
    memory: createMemory(host),
    getState: (name) => host.getState(name),
    saveState: async (value, name) => {
      checkValue("the state", value);
      return host.saveState(value, name);
    },
  });
};
