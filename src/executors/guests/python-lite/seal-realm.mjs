// Dismantles the JavaScript around the embedded Python before it holds any guest code. Python holds JavaScript objects through its
// bridge, and any object leads to its prototype and constructor: so no path may end at code, files or the process.
import childProcess from "node:child_process";
import fs from "node:fs";
import Module, { syncBuiltinESMExports } from "node:module";

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
const { ownKeys } = Reflect;
const functionPrototype = Function.prototype;

/** What the engine reads from the global scope while Python runs. Everything else is removed. */
const engineGlobals = new Set(
  `
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float32Array Float64Array Infinity Int16Array Int32Array Int8Array Iterator JSON Map Math NaN
  Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError
  TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly
  globalThis isFinite isNaN parseFloat parseInt undefined TextDecoder TextEncoder performance crypto
  `
    .trim()
    .split(/\s+/),
);

/** A function that leads nowhere: it has no prototype and only throws. */
const deadEnd = (/** @type {string} */ name) => {
  const dead = () => {
    throw new TypeError(`${name} is not available`);
  };
  defineProperty(dead, "name", { value: name });
  return freeze(setPrototypeOf(dead, null));
};

/** An object for Python: it and its functions have no prototype and cannot be changed. */
export const toBareObject = (/** @type {Readonly<Record<string, unknown>>} */ source) => {
  /** @type {Record<string, unknown>} */
  const bare = Object.create(null);
  for (const [name, value] of Object.entries(source))
    bare[name] = typeof value === "function" ? freeze(setPrototypeOf(value, null)) : value;
  return freeze(bare);
};

/** Node modules that the engine holds, and the way to any other. */
const disarmModules = () => {
  for (const module of [fs.promises, fs, childProcess]) {
    for (const name of ownKeys(module)) {
      const { value, configurable, writable } = getOwnPropertyDescriptor(module, name) ?? {};
      if (typeof value === "function" && (configurable || writable))
        defineProperty(module, name, { value: deadEnd(String(name)) });
    }
  }
  for (const name of ["_load", "_resolveFilename", "createRequire"]) Module[name] = deadEnd(name);
  // Also applies to named imports.
  syncBuiltinESMExports();
};

/** Neutral answers to what the engine asks the process. */
const standInProcess = () =>
  toBareObject({
    getuid: () => 65_534,
    umask: () => 0o077,
    platform: "linux",
    version: "",
    versions: toBareObject({}),
  });

/** The engine's messages: on stdout they would corrupt the frames. */
const standInConsole = () => {
  const ignore = () => {};
  return toBareObject({ debug: ignore, error: ignore, info: ignore, log: ignore, warn: ignore });
};

const pruneGlobals = () => {
  for (const name of ownKeys(globalThis)) {
    if (typeof name === "symbol" || engineGlobals.has(name)) continue;
    Reflect.deleteProperty(globalThis, name);
  }
  defineProperty(globalThis, "process", { value: standInProcess() });
  defineProperty(globalThis, "console", { value: standInConsole() });
  // The engine borrows methods from its prototype and checks for functions.
  const isFunction = freeze(
    setPrototypeOf((/** @type {unknown} */ value) => typeof value === "function", null),
  );
  const standIn = { __proto__: null, prototype: functionPrototype, [Symbol.hasInstance]: isFunction };
  defineProperty(globalThis, "Function", { value: freeze(standIn) });
};

/** Prototypes that no global name leads to. */
const hiddenIntrinsics = () => [
  getPrototypeOf(async () => {}),
  getPrototypeOf(function* () {}),
  getPrototypeOf(async function* () {}),
  getPrototypeOf(getPrototypeOf(async function* () {}).prototype),
  getPrototypeOf([][Symbol.iterator]()),
  getPrototypeOf(new Map()[Symbol.iterator]()),
  getPrototypeOf(new Set()[Symbol.iterator]()),
  getPrototypeOf(""[Symbol.iterator]()),
  getPrototypeOf("".matchAll(/./g)),
  getPrototypeOf(Uint8Array),
  functionPrototype,
];

/** Freezes every built-in object, and removes their paths to constructors. */
const freezeIntrinsics = (/** @type {readonly unknown[]} */ roots) => {
  const seen = new Set([globalThis, null, undefined]);
  const waiting = [...roots];
  while (waiting.length > 0) {
    const next = /** @type {any} */ (waiting.pop());
    if ((typeof next !== "object" && typeof next !== "function") || seen.has(next)) continue;
    seen.add(next);
    const maker = getOwnPropertyDescriptor(next, "constructor");
    if (maker?.configurable === true && typeof maker.value === "function") {
      waiting.push(maker.value);
      defineProperty(next, "constructor", { value: deadEnd(maker.value.name) });
    }
    waiting.push(getPrototypeOf(next));
    for (const name of ownKeys(next)) {
      const { value, get, set } = getOwnPropertyDescriptor(next, name) ?? {};
      waiting.push(value, get, set);
    }
    if (!ArrayBuffer.isView(next)) freeze(next);
  }
};

/** What the engine has for its loader and its tests, and what exposes its internals to JavaScript. */
const loaderParts = `
  tests public_api packageManager loadBinaryFile loadDynlib install initializeNodeSockFS lockFilePromise makeSnapshot
  restoreSnapshot saveState restoreState rawRun scheduleCallback bootstrapFinalizedPromise finalizeBootstrap importlib
`
  .trim()
  .split(/\s+/);

/**
 * Afterwards this process computes, and reaches nothing but what was captured before.
 * @param {Record<string, unknown>} engineParts the engine's internal interface
 */
export const sealRealm = (engineParts) => {
  for (const name of loaderParts) Reflect.deleteProperty(engineParts, name);
  disarmModules();
  const hidden = hiddenIntrinsics();
  pruneGlobals();
  const visible = [...engineGlobals].map((name) => getOwnPropertyDescriptor(globalThis, name)?.value);
  // The engine sets it for each of its errors; an accessor allows that although the rest is frozen.
  defineProperty(Error, "stackTraceLimit", { get: () => 0, set: () => {}, configurable: true });
  freezeIntrinsics([...hidden, ...visible]);
};
