// Persistent state as a program sees it: `fs`, the `workspace` with its helpers, `memory`, and named states.
import { parseCsv, renderCsv } from "./csv.mjs";
import { createFiles } from "./files.mjs";
import { parseExactly, toJson } from "./to-json.mjs";

const { stringify } = JSON;
const { freeze } = Object;
/** Enough for heavy contention; more means that `change` causes conflicts itself. */
const maxTries = 1000;

const orUndefined = (/** @type {any} */ value) => (value === null ? undefined : value);

/** The value as it will be read back. */
const checkValue = (/** @type {string} */ what, /** @type {unknown} */ value) => {
  if (toJson(value) === undefined)
    throw new TypeError(`Cannot save ${what}: the value cannot be turned into JSON`);
};

const createHelpers = (/** @type {any} */ host, /** @type {ReturnType<typeof createFiles>} */ fs) => {
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
      if (!Array.isArray(rows)) throw new TypeError(`Cannot write "${path}": expected a list of rows`);
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
    workspace: createHelpers(host, fs),
    memory: createMemory(host),
    getState: (name) => host.getState(name),
    saveState: async (value, name) => {
      checkValue("the state", value);
      return host.saveState(value, name);
    },
  });
};
