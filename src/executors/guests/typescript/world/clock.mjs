// The clock and the timers of a program. Readings are reported with the next call, so that a resumed run reads the same times; the host sends ticks.

const RealDate = Date;
const realNow = Date.now;
const { construct } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;
const NumberOf = Number;
const split = Function.prototype.call.bind(String.prototype.split);

/** Max readings reported per run; later ones are not reproducible. */
const maxReported = 2000;

/**
 * A reading that differs from the previous one is reported as its number and time. `takeReadings` returns the count of readings and
 * these pairs, "7,0,1700000000000,3,1700000000005", or "" if there is nothing new; `restart` takes the same text.
 */
export const createClock = () => {
  let count = 0;
  let last = 0;
  let reported = "";
  let reportedCount = 0;
  let pairs = 0;
  /** @type {string[]} */
  let known = [];
  let knownCount = 0;
  let place = 1;

  const recall = () => {
    while (place + 2 < known.length && NumberOf(known[place + 2]) <= count) place += 2;
    return NumberOf(known[place + 1]);
  };
  let isUnread = false;
  const now = () => {
    if (isUnread) return realNow();
    const value = count < knownCount ? recall() : realNow();
    if (pairs < maxReported) {
      if (value !== last || count === 0) {
        reported += `,${count},${value}`;
        last = value;
        pairs++;
      }
      count++;
    }
    return value;
  };

  /** The original `Date` with this clock. @this {unknown} */
  function DateOfClock(...values) {
    if (new.target === undefined) return new RealDate(now()).toString();
    return construct(RealDate, values.length === 0 ? [now()] : values, new.target);
  }
  defineProperty(DateOfClock, "name", { value: "Date" });
  defineProperty(DateOfClock, "length", { value: 7 });
  defineProperty(DateOfClock, "prototype", { value: RealDate.prototype, writable: false });
  for (const name of ["UTC", "parse"])
    defineProperty(DateOfClock, name, getOwnPropertyDescriptor(RealDate, name) ?? {});
  defineProperty(DateOfClock, "now", { value: now, writable: true, configurable: true });
  defineProperty(RealDate.prototype, "constructor", {
    value: DateOfClock,
    writable: true,
    configurable: true,
  });

  return {
    now,
    globals: { Date: DateOfClock },
    /** @param {string} text the readings of the run that is resumed, or "" */
    restart: (text) => {
      known = text === "" ? [] : split(text, ",");
      knownCount = NumberOf(known[0] ?? 0);
      place = 1;
      count = 0;
      last = 0;
      reported = "";
      reportedCount = 0;
      pairs = 0;
    },
    /** For work that a resumed run does not repeat. @template Value @param {() => Value} work */
    withoutReadings: (work) => {
      isUnread = true;
      try {
        return work();
      } finally {
        isUnread = false;
      }
    },
    takeReadings: () => {
      if (count === reportedCount) return "";
      const text = `${count}${reported}`;
      reportedCount = count;
      reported = "";
      return text;
    },
  };
};

const PromiseClass = Promise;
const getFrom = Function.prototype.call.bind(Map.prototype.get);
const setIn = Function.prototype.call.bind(Map.prototype.set);
const deleteFrom = Function.prototype.call.bind(Map.prototype.delete);
const sizeOf = Function.prototype.call.bind(
  /** @type {() => number} */ (Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get),
);

/**
 * @param {{
 *   post: (kind: string, ...values: (string | number | boolean)[]) => unknown;
 *   nextId: () => number;
 *   fail: (thrown: unknown) => void;
 * }} options
 */
export const createTimers = ({ post, nextId, fail }) => {
  const timers = new Map();

  const start = (callback, milliseconds, values, isRepeating) => {
    if (typeof callback !== "function")
      throw new TypeError(`Cannot set a timer: expected a function, found ${typeof callback}`);
    const id = nextId();
    setIn(timers, id, { run: () => callback(...values), isRepeating });
    post("timer", id, NumberOf(milliseconds) || 0, isRepeating);
    return id;
  };
  const stop = (id) => {
    if (deleteFrom(timers, id)) post("clear", id);
  };

  const tick = (id) => {
    const timer = getFrom(timers, id);
    if (timer === undefined) return;
    if (!timer.isRepeating) deleteFrom(timers, id);
    try {
      timer.run();
    } catch (error) {
      fail(error);
    }
  };

  return {
    tick,
    isSet: () => sizeOf(timers) > 0,
    globals: {
      setTimeout: (callback, milliseconds, ...values) => start(callback, milliseconds, values, false),
      setInterval: (callback, milliseconds, ...values) => start(callback, milliseconds, values, true),
      clearTimeout: stop,
      clearInterval: stop,
      sleep: (milliseconds) => new PromiseClass((resolve) => start(resolve, milliseconds, [], false)),
    },
  };
};
