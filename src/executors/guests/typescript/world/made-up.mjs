// Made-up answers of a plan: which of them the program may have used, and objects that report their first use.

// Captured before a program can change them.
const { hasOwn } = Object;
const ProxyClass = Proxy;
const join = Function.prototype.call.bind(Array.prototype.join);

/** Max used made-up answers reported to the host. One is enough to make all later calls depend on them. */
const maxUsed = 8;

/** Every way to read or change an object. */
const traps = Reflect.ownKeys(Reflect).filter((name) => typeof Reflect[name] === "function");

/** An object that reports its first use. */
export const watch = (value, use) => {
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

/** Calls whose made-up answers the program may have read: all so far, and those the host knows of. */
export const openUsed = () => {
  const used = [];
  let reportedCount = 0;
  return {
    use: (id) => {
      for (let at = 0; at < used.length; at++) if (used[at] === id) return;
      if (used.length < maxUsed) used[used.length] = id;
    },
    takeUsed: () => {
      const unreported = [];
      while (reportedCount < used.length) unreported[unreported.length] = used[reportedCount++];
      return join(unreported, ",");
    },
  };
};
