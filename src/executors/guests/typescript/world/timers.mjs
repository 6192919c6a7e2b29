// Timers of a program: the host keeps the time and sends ticks, so that a waiting guest costs nothing.

const PromiseClass = Promise;
const NumberOf = Number;
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
