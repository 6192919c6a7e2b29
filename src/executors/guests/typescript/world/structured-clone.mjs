// A deep copy of data: preserves cycles, maps, sets, dates and bytes; functions cannot be copied.
import { DOMException } from "./dom-exception.mjs";

const { keys } = Object;
const { isArray } = Array;
const isView = ArrayBuffer.isView;
const errorClasses = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/**
 * @param {unknown} value
 * @param {{ transfer?: readonly unknown[] }} [options]
 */
export const structuredClone = (value, { transfer = [] } = {}) => {
  if (transfer.length > 0) throw refuse("a transfer list: nothing can be transferred here");
  return copy(value, new Map());
};

const refuse = (what) => new DOMException(`Cannot clone ${what}`, "DataCloneError");

/** @type {(value: any, copies: Map<unknown, unknown>) => any} */
const copy = (value, copies) => {
  if (typeof value === "function") throw refuse(`the function "${value.name}"`);
  if (typeof value === "symbol") throw refuse("a symbol");
  if (typeof value !== "object" || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const [made, fill] = begin(value, copies);
  copies.set(value, made);
  fill?.();
  return made;
};

/** The empty copy and a function that fills it, so that references back to the whole find it already created. */
const begin = (value, copies) => {
  if (isArray(value)) {
    const made = new Array(value.length);
    return [made, () => copyFields(value, made, copies)];
  }
  if (value instanceof Map) {
    const made = new Map();
    const fill = () => {
      for (const [key, item] of [...value]) made.set(copy(key, copies), copy(item, copies));
    };
    return [made, fill];
  }
  if (value instanceof Set) {
    const made = new Set();
    const fill = () => {
      for (const item of [...value]) made.add(copy(item, copies));
    };
    return [made, fill];
  }
  if (value instanceof Date) return [new Date(value.getTime())];
  if (value instanceof RegExp) return [new RegExp(value.source, value.flags)];
  if (value instanceof Boolean || value instanceof Number || value instanceof String)
    return [Object(value.valueOf())];
  if (value instanceof ArrayBuffer) return [value.slice(0)];
  if (isView(value)) return [copyView(value, copies)];
  if (value instanceof Error) return beginError(value, copies);
  if (
    value instanceof Promise ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof WeakRef
  )
    throw refuse(`a ${value.constructor.name}`);
  const made = {};
  return [made, () => copyFields(value, made, copies)];
};

const copyFields = (from, to, copies) => {
  for (const key of keys(from)) {
    // Defined, not set: a field named "__proto__" stays a field.
    Object.defineProperty(to, key, {
      value: copy(from[key], copies),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
};

const copyView = (view, copies) => {
  const buffer = copy(view.buffer, copies);
  return new view.constructor(buffer, view.byteOffset, "length" in view ? view.length : view.byteLength);
};

const beginError = (error, copies) => {
  const made = new (errorClasses[error.name] ?? Error)(error.message);
  const fill = () => {
    for (const name of ["stack", "cause"]) {
      if (Object.hasOwn(error, name))
        Object.defineProperty(made, name, {
          value: copy(error[name], copies),
          writable: true,
          configurable: true,
        });
    }
  };
  return [made, fill];
};
