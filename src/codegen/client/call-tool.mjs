// Calls tools from a project of your own, through mcp-coordinator: it is started once and ends with this process.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where the library was generated, relative to this file. */
const place = {};

const here = dirname(fileURLToPath(import.meta.url));
const name = "mcp-coordinator";

/** A call that was refused or failed. `code` is one of docs/errors.md, `hint` the next step, `runId` the run that made the call. */
export class ToolError extends Error {
  constructor({ code, message, hint, runId }) {
    super(hint ? `${message}. ${hint}` : message);
    this.name = "ToolError";
    this.code = code;
    this.hint = hint;
    this.runId = runId;
  }
}

const notFound = (state) =>
  new ToolError({
    code: "COORDINATOR_NOT_FOUND",
    message: `Cannot start ${name}: ${state}`,
    hint: `Install it with "npm install -g ." in its checkout, or set MCP_COORDINATOR_COMMAND to the path of its program.`,
  });

/** A script is started with this Node. */
const toCommand = (path) => (/\.[cm]?js$/.test(path) ? [process.execPath, path] : [path]);

/** The one that the environment names, that of the project, or the one on the search path. */
const findCommand = () => {
  const named = process.env.MCP_COORDINATOR_COMMAND?.trim();
  if (named) return toCommand(named);
  for (const folder of [here, process.cwd()]) {
    try {
      const file = createRequire(pathToFileURL(join(folder, "x.js"))).resolve(`${name}/package.json`);
      return toCommand(join(dirname(file), JSON.parse(readFileSync(file, "utf8")).bin[name]));
    } catch {
      // It is not installed there.
    }
  }
  const ending = process.platform === "win32" ? ".cmd" : "";
  const folders = (process.env.PATH ?? process.env.Path ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, name + ending)).find((path) => existsSync(path));
  if (found === undefined) throw notFound("it is not installed here");
  return [found];
};

const listWords = () => {
  const folder = place.folder === undefined ? process.cwd() : resolve(here, place.folder);
  const config = process.env.MCP_SERVERS_CONFIG ? [] : (place.config ?? []);
  const way = place.isProject === true ? "--project" : "--folder";
  return ["serve", "--calls", way, folder, ...config.flatMap((path) => ["--config", resolve(here, path)])];
};

const digits = /\d{16}/;

/** Integers beyond 2^53 arrive as BigInt, with every digit. */
const parse = (text) =>
  digits.test(text)
    ? JSON.parse(text, (_key, value, { source } = {}) =>
        typeof value === "number" && /^-?\d+$/.test(source ?? "") && !Number.isSafeInteger(value)
          ? BigInt(source)
          : value,
      )
    : JSON.parse(text);

/** One line, also for readers that end a line at U+2028 and U+2029. */
const toLine = (value) => {
  const text = JSON.stringify(value, (_key, one) =>
    typeof one === "bigint" ? JSON.rawJSON(String(one)) : one,
  );
  return `${text.replace(/[\u2028\u2029]/g, (found) => (found === "\u2028" ? "\\u2028" : "\\u2029"))}\n`;
};

const open = () => {
  const [command, ...words] = findCommand();
  const child = spawn(command, [...words, ...listWords()], {
    stdio: ["pipe", "pipe", "inherit"],
    shell: command.endsWith(".cmd"),
    windowsHide: true,
  });
  const waiting = new Map();
  const parts = [child, child.stdin, child.stdout];
  /** The process may end while nothing is waiting. */
  const hold = () => {
    for (const part of parts) waiting.size > 0 ? part.ref?.() : part.unref?.();
  };
  const fail = (error) => {
    if (connection?.child === child) connection = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    hold();
  };
  child.on("error", ({ message }) => fail(notFound(message)));
  child.stdin.on("error", () => {});
  child.on("close", (code) =>
    fail(
      new ToolError({
        code: "COORDINATOR_ENDED",
        message: `Cannot finish the call: ${name} ended with exit code ${code}`,
        hint: "Its messages are above. The next call starts it again.",
      }),
    ),
  );
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, value, error } = parse(line);
    const call = waiting.get(id);
    if (call === undefined) return;
    waiting.delete(id);
    hold();
    if (error === undefined) call.resolve(value);
    else call.reject(new ToolError(error));
  });
  let count = 0;
  const send = (server, tool, args) =>
    new Promise((resolve, reject) => {
      count += 1;
      const line = toLine({ id: count, server, tool, arguments: args ?? {} });
      waiting.set(count, { resolve, reject });
      hold();
      child.stdin.write(line);
    });
  return { child, send };
};

let connection;

/** Calls a tool by the name that its server uses. */
export const callTool = async (server, tool, args) => {
  try {
    connection ??= open();
    return await connection.send(server, tool, args);
  } catch (error) {
    // The lines of the program that called, not those of this file.
    Error.captureStackTrace?.(error, callTool);
    throw error;
  }
};

/** Ends mcp-coordinator before this process ends. The next call starts it again. */
export const close = async () => {
  const { child } = connection ?? {};
  connection = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.ref();
  child.stdin.end();
  await ended;
};
