// The servers as a program sees them: objects whose every property is a tool, and the calls that wait for an answer.
import { origins } from "./rows.mjs";
import { parseExactly, toArguments, toJson } from "./to-json.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { freeze, defineProperty, hasOwn } = Object;
const PromiseClass = Promise;
const ErrorClass = Error;
const StringOf = String;
const getFrom = Function.prototype.call.bind(Map.prototype.get);
const setIn = Function.prototype.call.bind(Map.prototype.set);
const deleteFrom = Function.prototype.call.bind(Map.prototype.delete);
const sizeOf = Function.prototype.call.bind(
  /** @type {() => number} */ (Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get),
);
const { apply } = Reflect;
const ProxyClass = Proxy;
const TypeErrorClass = TypeError;
const join = Function.prototype.call.bind(Array.prototype.join);

/** Reserved server name for stored values: no configured server can have it. */
const kept = "\u0000kept";
/** The same for questions of a plan to its program. */
const plan = "\u0000plan";

/** Max used made-up answers reported to the host. One is enough to make all later calls depend on them. */
const maxUsed = 8;

/** Methods that ignore what their callbacks return. A program's own methods may use it. */
const blindMethods = new Map();
for (const { prototype } of [Array, Map, Set, Promise, globalThis.Iterator ?? Map])
  for (const name of ["map", "forEach", "then", "catch", "finally"])
    if (name in prototype) blindMethods.set(prototype[name], name);
const blindNames = new Set(blindMethods.values());
const isBlindName = Function.prototype.call.bind(Set.prototype.has, blindNames);

/** Every way to read or change an object. */
const traps = Reflect.ownKeys(Reflect).filter((name) => typeof Reflect[name] === "function");

/** An object that reports its first use. */
const watch = (value, use) => {
  const handler = {};
  for (const trap of traps) {
    const perform = Reflect[trap];
    handler[trap] = (target, name, ...rest) => {
      // `await` reads it on any value.
      if (trap !== "get" || name !== "then" || hasOwn(target, name)) use();
      return perform(target, name, ...rest);
    };
  }
  return new ProxyClass(value, handler);
};

/** What a failed tool call throws. */
export class ToolError extends ErrorClass {}
defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true });

/**
 * @param {{
 *   post: (kind: string, ...values: (string | number | boolean)[]) => unknown;
 *   nextId: () => number;
 *   services?: Map<string, (server: any) => object>;
 *   takeTimes: () => string;
 *   isTimerSet: () => boolean;
 * }} options services: replacements for servers of that name, built from the server; takeTimes: clock readings since the last call
 */
export const createTools = ({ post, nextId, services = new Map(), takeTimes, isTimerSet }) => {
  const pending = new Map();

  const makeMark = () => {
    let mark = "kept:";
    for (const byte of StringOf(post("random", 16))) mark += byte.charCodeAt(0).toString(36);
    return mark;
  };

  /** Calls whose made-up answers the program may have read: all so far, and those the host knows of. */
  const used = [];
  let reportedCount = 0;
  const use = (id) => {
    for (let at = 0; at < used.length; at++) if (used[at] === id) return;
    if (used.length < maxUsed) used[used.length] = id;
  };
  const takeUsed = () => {
    const unreported = [];
    while (reportedCount < used.length) unreported[unreported.length] = used[reportedCount++];
    return join(unreported, ",");
  };

  const call = (server, tool, values, { isRaw = false, isKept = false, isDiscarded = false } = {}) =>
    new PromiseClass((resolve, reject) => {
      const id = nextId();
      // Only tools take handles: elsewhere a handle is written as its own description.
      const text = StringOf(server).startsWith("\u0000")
        ? (toJson(values, true) ?? "[]")
        : toArguments(values, { isKept, makeMark });
      // Created here so that a failure shows the program's own line; a stack costs little until it is read.
      const error = new ToolError();
      setIn(pending, id, { resolve, reject, error });
      post("call", id, StringOf(server), StringOf(tool), isRaw, text, takeTimes(), takeUsed(), isDiscarded);
    });

  const storeAnswer = (answered) => answered.then((facts) => serverNamed(kept).toKept(facts));

  /** A calling function → its variant for calls whose answer is discarded. */
  const discarding = new Map();
  const withDiscarding = (make) => {
    const made = make({});
    setIn(discarding, made, make({ isDiscarded: true }));
    return made;
  };

  /** A method of the program took a callback: from then on no answer counts as discarded. */
  let isStrict = false;

  /** In a plan, wraps the callee of a call whose answer is discarded: `f`, or `owner` and the name of its method. */
  const discard = (owner, ...names) => {
    const [name] = names;
    const called = names.length === 0 ? owner : owner[name];
    const found = getFrom(discarding, called);
    if (found !== undefined) return isStrict ? called : found;
    if (typeof called !== "function")
      throw new TypeErrorClass(`${StringOf(name ?? called)} is not a function`);
    if (isBlindName(name) && getFrom(blindMethods, called) !== name) isStrict = true;
    return names.length === 0 ? called : (...values) => apply(called, owner, values);
  };

  const toFunction = (server, tool) => {
    const made = withDiscarding(
      (more) =>
        (...values) =>
          call(server, tool, values, more),
    );
    defineProperty(made, "name", { value: tool });
    origins.set(made, [server, tool]);
    made.raw = withDiscarding(
      (more) =>
        (...values) =>
          call(server, tool, values, { isRaw: true, ...more }),
    );
    made.keep = (...values) => storeAnswer(call(server, tool, values, { isKept: true }));
    return made;
  };

  /** An object whose every property is a tool: the host resolves names when they are called. */
  const toServer = (server) => {
    const made = new Map();
    return new Proxy(freeze({}), {
      get: (_target, name) => {
        // `await` would call a server object that looked thenable.
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
  const serverObjects = new Map([[plan, freeze({ discard })]]);
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

  const answer = (id, isAnswer, format, body, name, code, madeUp) => {
    const waiting = getFrom(pending, id);
    if (waiting === undefined) return;
    deleteFrom(pending, id);
    if (isAnswer) {
      // While something else is pending, the arrival of an answer alone reveals as much as reading it.
      if (madeUp === "object" && sizeOf(pending) === 0 && !isTimerSet())
        return waiting.resolve(watch(parseExactly(body), () => use(id)));
      if (madeUp) use(id);
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

  const toValues = (args) => (args === undefined ? [] : [args]);
  const callTool = withDiscarding((more) => (server, tool, args) => call(server, tool, toValues(args), more));
  callTool.keep = (server, tool, args) => storeAnswer(call(server, tool, toValues(args), { isKept: true }));

  return {
    answer,
    serverNamed,
    globals: {
      servers,
      ToolError,
      callTool,
      callMCPTool: withDiscarding((more) => (name, args) => call("", name, toValues(args), more)),
    },
  };
};
