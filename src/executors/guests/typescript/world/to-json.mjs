// JSON of any value: a value without a JSON form becomes the nearest one that has it.

// Captured before a program can change them: a program that breaks its own globals must not break the protocol.
const { parse, rawJSON, stringify } = /** @type {any} */ (JSON);
const { defineProperty, fromEntries, getPrototypeOf, keys } = Object;
const { isArray } = Array;
const { isSafeInteger, isInteger: isWholeNumber, isFinite: isFiniteNumber } = Number;
const StringOf = String;
const BigIntOf = BigInt;
const NumberClass = Number;
const MapClass = Map;
const SetClass = Set;
const PromiseClass = Promise;
const TypeErrorClass = TypeError;
/** @type {ErrorConstructor & { stackTraceLimit?: number }} */
const ErrorClass = Error;
const objectPrototype = Object.prototype;
const refusals = new WeakSet();
const addTo = Function.prototype.call.bind(WeakSet.prototype.add);
const isIn = Function.prototype.call.bind(WeakSet.prototype.has);

const refusePromise = (use) => {
  const { stackTraceLimit } = ErrorClass;
  // Deep in a value our own functions would fill the stack trace, and the program's line is what helps.
  ErrorClass.stackTraceLimit = 200;
  const error = new TypeErrorClass(
    `Cannot ${use}: it is a promise: an "await" is missing before the call that created it`,
  );
  ErrorClass.stackTraceLimit = stackTraceLimit;
  addTo(refusals, error);
  throw error;
};

/** Whether an error reports a promise in place of a value. */
export const isPromiseRefusal = (error) =>
  typeof error === "object" && error !== null && isIn(refusals, error);

/** For printing: a promise there is a mistake, and `{}` would hide it. */
export const refusePrintedPromise = () => refusePromise("print a value");

/** A number that may be too long or too large. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/;
const isSuspicious = RegExp.prototype.test.bind(suspicious);
const integer = /^-?\d+$/;
const isInteger = RegExp.prototype.test.bind(integer);

const keepDigits = (_key, value, context) => {
  if (typeof value !== "number" || isSafeInteger(value)) return value;
  if (!isFiniteNumber(value)) throw new TypeErrorClass("An answer contains a number that is too large");
  return isInteger(context.source) ? BigIntOf(context.source) : value;
};

/** Like `JSON.parse`, but an integer that a number cannot hold becomes a BigInt. @type {(text: string) => any} */
export const parseExactly = (text) => (isSuspicious(text) ? parse(text, keepDigits) : parse(text));

/**
 * A promise has no fields: its JSON would be `{}`, its text "[object Promise]". Both look like an answer. A BigInt is a number
 * in JSON, with all its digits.
 */
export const guardBuiltIns = () => {
  const define = (name, use) =>
    defineProperty(PromiseClass.prototype, name, {
      value: () => refusePromise(use),
      writable: true,
      configurable: true,
    });
  // The language itself refuses them, but a program must be able to pass on what a tool returned.
  defineProperty(BigInt.prototype, "toJSON", {
    value() {
      return rawJSON(StringOf(this));
    },
    writable: true,
    configurable: true,
  });
  define("toJSON", "turn a value into JSON");
  define(Symbol.toPrimitive, "use a value as a string or a number");
};

/**
 * The same value with every promise in it awaited. Values that JSON would not traverse are left alone.
 * @type {(value: any, parents?: readonly unknown[]) => Promise<any>}
 */
export const awaitWithin = async (value, parents = []) => {
  const held = value instanceof PromiseClass ? await value : value;
  if (typeof held !== "object" || held === null || parents.includes(held)) return held;
  if (typeof held.toJSON === "function") return held;
  const within = [...parents, held];
  const all = (items) => PromiseClass.all(items.map((item) => awaitWithin(item, within)));
  if (isArray(held)) return all(held);
  if (held instanceof MapClass) return new MapClass(await all([...held]));
  if (held instanceof SetClass) return new SetClass(await all([...held]));
  const prototype = getPrototypeOf(held);
  if (prototype !== objectPrototype && prototype !== null && held instanceof ErrorClass) return held;
  const names = keys(held);
  const values = await all(names.map((name) => held[name]));
  return fromEntries(names.map((name, at) => [name, values[at]]));
};

/** Silently changing a number in a call or a stored value does harm that nobody notices. */
const refuseInexact = (value) => {
  if (!isFiniteNumber(value)) throw new TypeErrorClass(`Cannot pass ${value}: JSON has no such number`);
  if (isWholeNumber(value) && !isSafeInteger(value))
    throw new TypeErrorClass(
      `Cannot pass ${value}: a number is exact only up to 2 ** 53. Write the integer as a BigInt, with an "n" after its digits`,
    );
};

/** @type {(value: unknown, isExact?: boolean) => string | undefined} */
export const toJson = (value, isExact = false) =>
  stringify(value, (_key, item) => {
    if (isExact && (typeof item === "number" || item instanceof NumberClass)) refuseInexact(+item);
    if (item instanceof PromiseClass) refusePromise("turn a value into JSON");
    // An integer of any size, with all its digits.
    if (typeof item === "bigint") return rawJSON(StringOf(item));
    if (item instanceof MapClass) return fromEntries(item);
    if (item instanceof SetClass) return [...item];
    if (item instanceof ErrorClass) return { name: item.name, message: item.message };
    return item;
  });

/** How handles are written: by a mark that only one call knows, or as their own description. */
export const marking = { hasHandles: false, mark: "", isUsed: false };

/**
 * The values of a call, with its handles marked. Passing on earlier server data cannot forge a handle.
 * @param {readonly unknown[]} values
 * @param {{ isStored: boolean; makeMark: () => string }} options
 */
export const toArguments = (values, { isStored, makeMark }) => {
  if (!marking.hasHandles && !isStored) return toJson(values, true) ?? "[]";
  const mark = makeMark();
  marking.mark = mark;
  marking.isUsed = false;
  try {
    const text = toJson(values, true) ?? "[]";
    if (!marking.isUsed && !isStored) return text;
    return `{"values":${text},"mark":${stringify(mark)},"isStored":${isStored}}`;
  } finally {
    marking.mark = "";
  }
};
