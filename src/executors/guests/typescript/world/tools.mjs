// The servers as a program sees them: objects whose every property is a tool, and the calls that wait for an answer.
import { openUsed, watch } from "./made-up.mjs";
import { origins } from "./rows.mjs";
import { parseExactly, toArguments, toJson } from "./to-json.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { freeze, defineProperty, keys } = Object;
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

/** Reserved server name for stored values: no configured server can have it. */
export const valuesServer = "\u0000values";
/** The same for `discard`, which a plan puts around calls whose answer is not used. */
const plan = "\u0000plan";

/** Built-in methods that pass on what a callback returns without using it. A method of the program may use it. */
const passingMethods = new Map();
for (const { prototype } of [Array, Map, Set, Promise, globalThis.Iterator ?? Map])
  for (const name of ["map", "forEach", "then", "catch", "finally"])
    if (name in prototype) passingMethods.set(prototype[name], name);
const passingNames = new Set(passingMethods.values());
const isPassingName = Function.prototype.call.bind(Set.prototype.has, passingNames);

/** What a tool has, also one that is called `resources` or `prompts`. Every other member is a resource function or a prompt. */
const isToolMember = Function.prototype.call.bind(
  Set.prototype.has,
  new Set(["raw", "keep", "with", "then", "toJSON"]),
);

/** What a failed tool call throws. */
export class ToolError extends ErrorClass {}
defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true });

/**
 * @param {{
 *   post: (kind: string, ...values: (string | number | boolean)[]) => unknown;
 *   nextId: () => number;
 *   hostServers?: Map<string, (server: any) => object>;
 *   takeTimes: () => string;
 *   withoutReadings: <Value>(work: () => Value) => Value;
 *   isTimerSet: () => boolean;
 *   fail: (thrown: unknown) => void;
 * }} options hostServers: replacements for servers of that name, built from the server; takeTimes: clock readings since the last call
 */
export const createTools = ({
  post,
  nextId,
  hostServers = new Map(),
  takeTimes,
  withoutReadings,
  isTimerSet,
  fail,
}) => {
  const pending = new Map();
  /** A resumed run gets no progress: what happens because of it would be missing there. */
  let isReporting = false;

  const makeMark = () => {
    let mark = "stored:";
    for (const byte of StringOf(post("random", 16))) mark += byte.charCodeAt(0).toString(36);
    return mark;
  };

  const { use, takeUsed } = openUsed();

  /**
   * @param {unknown} server
   * @param {unknown} tool
   * @param {readonly unknown[]} values
   * @param {{ isRaw?: boolean; isStored?: boolean; isDiscarded?: boolean; onProgress?: (step: unknown) => unknown }} [options]
   * @returns {Promise<any>}
   */
  const call = (server, tool, values, options = {}) =>
    new PromiseClass((resolve, reject) => {
      const { isRaw = false, isStored = false, isDiscarded = false, onProgress } = options;
      if (isReporting)
        throw new TypeErrorClass("Cannot call a tool in onProgress: only note or print the progress there");
      const id = nextId();
      // Only tools take handles: elsewhere a handle is written as its own description.
      const text = StringOf(server).startsWith("\u0000")
        ? (toJson(values, true) ?? "[]")
        : toArguments(values, { isStored, makeMark });
      // Created here so that a failure shows the program's own line; a stack costs little until it is read.
      const error = new ToolError();
      setIn(pending, id, { resolve, reject, error, onProgress });
      const wantsProgress = onProgress !== undefined;
      post(
        "call",
        id,
        StringOf(server),
        StringOf(tool),
        isRaw,
        text,
        takeTimes(),
        takeUsed(),
        isDiscarded,
        wantsProgress,
      );
    });

  const storeAnswer = (answered) => answered.then((facts) => serverNamed(valuesServer).toHandle(facts));

  const readOptions = (options) => {
    for (const name of keys(options ?? {}))
      if (name !== "onProgress")
        throw new TypeErrorClass(`with() does not know "${name}", expected "onProgress"`);
    const onProgress = options?.onProgress;
    if (onProgress !== undefined && typeof onProgress !== "function")
      throw new TypeErrorClass("onProgress is not a function");
    return onProgress;
  };

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
    if (isPassingName(name) && getFrom(passingMethods, called) !== name) isStrict = true;
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
    made.keep = (...values) => storeAnswer(call(server, tool, values, { isStored: true }));
    made.with = (options) => {
      const onProgress = readOptions(options);
      const reporting = (...values) => call(server, tool, values, { onProgress });
      reporting.raw = (...values) => call(server, tool, values, { isRaw: true, onProgress });
      reporting.keep = (...values) => storeAnswer(call(server, tool, values, { isStored: true, onProgress }));
      return reporting;
    };
    return made;
  };

  /** `github.resources.read(…)` and `github.prompts.triage(…)`, also beside a tool that is called `resources` or `prompts`. */
  const withMembers = (server, name, tool) => {
    const made = new Map();
    return new ProxyClass(tool, {
      get: (target, member) => {
        if (typeof member !== "string" || isToolMember(member)) return target[member];
        let found = getFrom(made, member);
        if (found === undefined) {
          found = toFunction(server, `${name}.${member}`);
          setIn(made, member, found);
        }
        return found;
      },
    });
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
          if (name === "resources" || name === "prompts") tool = withMembers(server, name, tool);
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
      const createFrom = getFrom(hostServers, name);
      server = createFrom === undefined ? toServer(name) : createFrom(toServer(name));
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

  const progress = (id, body) => {
    const onProgress = getFrom(pending, id)?.onProgress;
    if (onProgress === undefined) return;
    isReporting = true;
    try {
      withoutReadings(() => onProgress(parseExactly(body)));
    } catch (thrown) {
      fail(thrown);
    } finally {
      isReporting = false;
    }
  };

  const toValues = (args) => (args === undefined ? [] : [args]);
  const callTool = withDiscarding((more) => (server, tool, args) => call(server, tool, toValues(args), more));
  callTool.keep = (server, tool, args) => storeAnswer(call(server, tool, toValues(args), { isStored: true }));

  return {
    answer,
    progress,
    serverNamed,
    globals: {
      servers,
      ToolError,
      callTool,
      callMCPTool: withDiscarding((more) => (name, args) => call("", name, toValues(args), more)),
    },
  };
};
