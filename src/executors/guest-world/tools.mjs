// The servers as a program sees them: objects whose every property is a tool, and the calls that wait for an answer.
import { parseExactly, toArguments, toJson } from "./to-json.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { freeze, defineProperty } = Object;
const PromiseClass = Promise;
const ErrorClass = Error;
const StringOf = String;
const getFrom = Function.prototype.call.bind(Map.prototype.get);
const setIn = Function.prototype.call.bind(Map.prototype.set);
const deleteFrom = Function.prototype.call.bind(Map.prototype.delete);

/** What stands for the kept values among the servers: no configured server can have this name. */
const kept = "\u0000kept";

/** What a failed tool call throws. */
export class ToolError extends ErrorClass {}
defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true });

/**
 * @param {{
 *   post: (kind: string, ...values: (string | number | boolean)[]) => unknown;
 *   nextId: () => number;
 *   services?: Map<string, (server: any) => object>;
 *   takeTimes: () => string;
 * }} options services: what stands in the place of a server of that name, made of the server; takeTimes: what the clock has told since the last call
 */
export const createTools = ({ post, nextId, services = new Map(), takeTimes }) => {
  const pending = new Map();

  const makeMark = () => {
    let mark = "kept:";
    for (const byte of StringOf(post("random", 16))) mark += byte.charCodeAt(0).toString(36);
    return mark;
  };

  const call = (server, tool, values, isRaw, isKept = false) =>
    new PromiseClass((resolve, reject) => {
      const id = nextId();
      // What is no tool has no use for handles: there one is written as what it says of itself.
      const text = StringOf(server).startsWith("\u0000")
        ? (toJson(values) ?? "[]")
        : toArguments(values, { isKept, makeMark });
      // Made here so that a failure shows the program's own line; a stack costs little until it is read.
      const error = new ToolError();
      setIn(pending, id, { resolve, reject, error });
      post("call", id, StringOf(server), StringOf(tool), isRaw, text, takeTimes());
    });

  const keepAnswer = (answered) => answered.then((facts) => serverNamed(kept).toKept(facts));

  const toFunction = (server, tool) => {
    const made = (...values) => call(server, tool, values, false);
    defineProperty(made, "name", { value: tool });
    made.raw = (...values) => call(server, tool, values, true);
    made.keep = (...values) => keepAnswer(call(server, tool, values, false, true));
    return made;
  };

  /** An object whose every property is a tool: names are resolved on the host, when they are called. */
  const toServer = (server) => {
    const made = new Map();
    return new Proxy(freeze({}), {
      get: (_target, name) => {
        // A server object that looked thenable would be called by `await`.
        if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
        let tool = getFrom(made, name);
        if (tool === undefined) {
          tool = toFunction(server, name);
          setIn(made, name, tool);
        }
        return tool;
      },
    });
  };
  const serverObjects = new Map();
  const serverNamed = (name) => {
    let server = getFrom(serverObjects, name);
    if (server === undefined) {
      const toService = getFrom(services, name);
      server = toService === undefined ? toServer(name) : toService(toServer(name));
      setIn(serverObjects, name, server);
    }
    return server;
  };
  const servers = new Proxy(freeze({}), {
    get: (_target, name) => (typeof name === "string" && name !== "then" ? serverNamed(name) : undefined),
  });

  const answer = (id, isAnswer, format, body, name, code) => {
    const waiting = getFrom(pending, id);
    if (waiting === undefined) return;
    deleteFrom(pending, id);
    if (isAnswer) {
      if (format === "text") return waiting.resolve(body);
      if (format === "json") return waiting.resolve(parseExactly(body));
      let value = body;
      try {
        value = parseExactly(body);
      } catch {}
      return waiting.resolve(value);
    }
    const { error } = waiting;
    defineProperty(error, "message", { value: body, writable: true, configurable: true, enumerable: false });
    defineProperty(error, "name", { value: name, writable: true, configurable: true, enumerable: false });
    error.code = code;
    waiting.reject(error);
  };

  const callTool = (server, tool, args) => call(server, tool, args === undefined ? [] : [args], false);
  callTool.keep = (server, tool, args) =>
    keepAnswer(call(server, tool, args === undefined ? [] : [args], false, true));

  return {
    answer,
    serverNamed,
    globals: {
      servers,
      ToolError,
      callTool,
      callMCPTool: (name, args) => call("", name, args === undefined ? [] : [args], false),
    },
  };
};
