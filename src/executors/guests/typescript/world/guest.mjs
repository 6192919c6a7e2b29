// What exists inside an engine before the program: common web functions, and the servers as callable objects.
// Independent of the engine: every TypeScript sandbox has the same world. `install` binds it to one sandbox;
// only strings, numbers and booleans cross.
import * as addresses from "whatwg-url-minimum";
import * as aborting from "./abort.mjs";
import { createClock, createTimers } from "./clock.mjs";
import { createConsole, inspect, inspectThrown } from "./console.mjs";
import * as exceptions from "./dom-exception.mjs";
import * as encoding from "./encoding.mjs";
import * as fetching from "./fetch.mjs";
import * as handles from "./handles.mjs";
import * as random from "./random.mjs";
import * as cloning from "./structured-clone.mjs";
import { awaitWithin, guardBuiltIns, isPromiseRefusal, toJson } from "./to-json.mjs";
import { createTools, valuesServer } from "./tools.mjs";
import * as workspaces from "./workspace.mjs";

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { parse } = JSON;
const { keys, defineProperty, getOwnPropertyDescriptor } = Object;
const PromiseClass = Promise;
const ErrorClass = Error;
const StringOf = String;

/** All exports of these are globals, created on first access. */
const laterModules = [addresses, aborting, cloning, encoding, exceptions];

/** Reserved server names for the network, catalog, workspace, skills and people: no configured server can have them. */
const network = "\u0000network";
const workspaceName = "\u0000workspace";
const discovery = "\u0000discovery";
const skills = "\u0000skills";
const people = "\u0000people";
const own = "\u0000coordinator";
const settle = Function.prototype.call.bind(Promise.prototype.then);

/** Name, message, stack and code of what a program threw, each with a bounded length. */
const toFailure = (thrown) => {
  const isError = thrown instanceof ErrorClass;
  const name = isError ? StringOf(thrown.name) : "Error";
  const message = inspectThrown(isError ? thrown.message : thrown);
  const stack = isError && typeof thrown.stack === "string" ? thrown.stack : "";
  const code = isError && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return [name.slice(0, 200), message.slice(0, 20_000), stack.slice(0, 20_000), code.slice(0, 100)];
};

const defineGlobals = (values) => {
  for (const name of keys(values)) {
    defineProperty(globalThis, name, {
      value: values[name],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
};

/** Our own accessors. */
const ours = new Set();

/** Defines a global that is created on first access. */
const defineLater = (name, make) => {
  const get = () => {
    const value = make();
    defineGlobals({ [name]: value });
    return value;
  };
  ours.add(get);
  defineProperty(globalThis, name, {
    get,
    set: (value) => defineGlobals({ [name]: value }),
    configurable: true,
    enumerable: false,
  });
};

/** Declared by an earlier run of the session: session variables are accessors. */
const isDeclared = (name) => {
  const get = getOwnPropertyDescriptor(globalThis, name)?.get;
  return get !== undefined && !ours.has(get);
};

guardBuiltIns();

/** Bound to a sandbox by `install`. @type {(kind: string, ...values: (string | number | boolean)[]) => any} */
let send = () => undefined;
/** Calls the function that is bound now. */
const post = (kind, ...values) => send(kind, ...values);

let lastId = 0;
/** @type {number | undefined} */
let startedAt;
const nextId = () => ++lastId;
const clock = createClock();
const readRandom = (count) => post("random", count);
const fail = (thrown) => {
  let parts;
  try {
    parts = toFailure(thrown);
  } catch {
    parts = ["Error", "The program threw something that cannot be shown", "", ""];
  }
  post("failed", ...parts, clock.takeReadings());
};
/** @type {[string, (server: any) => object][]} */
const hostServers = [
  [workspaceName, (server) => workspaces.createWorkspace(server)],
  [
    valuesServer,
    (server) =>
      handles.createHandles(server, (...tool) => tools.serverNamed(discovery).getToolSchema(...tool)),
  ],
];
const timers = createTimers({ post, nextId, fail });
const tools = createTools({
  post,
  nextId,
  hostServers: new Map(hostServers),
  takeTimes: clock.takeReadings,
  withoutReadings: clock.withoutReadings,
  isTimerSet: timers.isSet,
  fail,
});

defineGlobals({
  ...tools.globals,
  ...timers.globals,
  console: createConsole((level, text) => post("log", level, text)),
  queueMicrotask: (callback) => void PromiseClass.resolve().then(callback),
  ...clock.globals,
  // Whole milliseconds: timing attacks need a finer clock.
  performance: Object.freeze({
    now: () => {
      startedAt ??= clock.now();
      return clock.now() - startedAt;
    },
  }),
});
for (const module of laterModules) for (const name of keys(module)) defineLater(name, () => module[name]);
defineLater("crypto", () => random.createCrypto(readRandom));
/** @type {(() => number) | undefined} */
let nextRandom;
// The engine's own would differ in a resumed run, and be the same in every run from a snapshot.
defineProperty(Math, "random", {
  value: () => {
    nextRandom ??= random.createMathRandom(readRandom);
    return nextRandom();
  },
  writable: true,
  configurable: true,
});

/** Every function of ours, whatever the servers are called. */
const ownObject = new Proxy(Object.freeze({}), {
  get: (_target, name) => {
    // `await` would call an object that looked thenable.
    if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
    if (name === "skills") return tools.serverNamed(skills);
    const hostServer = [workspaceName, valuesServer].find((one) => name in tools.serverNamed(one));
    return tools.serverNamed(hostServer ?? (name === "ask" ? people : discovery))[name];
  },
});

/** Defines servers as global objects and starts the program; `times` are its earlier clock readings. */
const start = (program, globalsJson, times = "") => {
  clock.restart(times);
  startedAt = undefined;
  const named = parse(globalsJson);
  for (const identifier of keys(named)) {
    const name = named[identifier];
    // Names that an earlier run of the session defined stay its own.
    const isHostServer = name === workspaceName || name === valuesServer;
    const isOurs = isHostServer || [discovery, skills, people, own].includes(name);
    if (isOurs ? identifier in globalThis : isDeclared(identifier)) continue;
    if (name === own) {
      defineGlobals({ [identifier]: ownObject });
      continue;
    }
    if (isHostServer) {
      defineLater(identifier, () => tools.serverNamed(name)[identifier]);
      continue;
    }
    const server = tools.serverNamed(name);
    const isFunction = name === discovery || name === people;
    defineGlobals({
      [identifier]:
        name === network ? fetching.createFetch(server.fetch) : isFunction ? server[identifier] : server,
    });
  }
  const complete = (value, isAwaited = false) => {
    let text;
    try {
      text = toJson(value);
    } catch (error) {
      // Fixes a forgotten "await" in the returned value: nothing else could have been meant.
      if (isPromiseRefusal(error) && !isAwaited)
        return settle(awaitWithin(value), (awaited) => complete(awaited, true), fail);
      return fail(new TypeError(`The returned value cannot be turned into JSON: ${inspect(error)}`));
    }
    post("completed", text === undefined ? "" : text, text !== undefined, clock.takeReadings());
  };
  settle(program(), (value) => complete(value), fail);
};

/**
 * Binds the world to one sandbox. Everything else is prepared once for many sandboxes: each of them pays for this part.
 * @param {typeof send} toSandbox sends a message to the sandbox's process
 */
export const install = (toSandbox) => {
  send = toSandbox;
  // Shared memory and a second compiler are attack surface that no program here needs. Not in a snapshot: V8 refuses to
  // create a context from one without them.
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics"]) delete globalThis[name];
  // `fail` is for a program that could not even start.
  return { start, answer: tools.answer, progress: tools.progress, tick: timers.tick, fail };
};
