// What exists inside an isolate before the program: console, timers, and the servers as callable objects.
// It is evaluated once into a V8 snapshot; `install` then ties it to one run. Only strings and numbers cross.
(() => {
  // Captured before a program can change them: a program that breaks its own globals must not break the protocol.
  const { stringify, parse } = JSON;
  const { freeze, defineProperty, fromEntries } = Object;
  const PromiseClass = Promise;
  const ErrorClass = Error;
  const StringOf = String;

  /** JSON of any value: what JSON has no word for becomes its nearest neighbour. */
  const toJson = (value) =>
    stringify(value, (_key, item) => {
      if (typeof item === "bigint") return StringOf(item);
      if (item instanceof Map) return fromEntries(item);
      if (item instanceof Set) return [...item];
      if (item instanceof ErrorClass) return { name: item.name, message: item.message };
      return item;
    });

  const toText = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof ErrorClass) return `${value.name}: ${value.message}`;
    if (typeof value === "function") return `[Function ${value.name || "anonymous"}]`;
    if (typeof value === "symbol" || value === undefined || value === null) return StringOf(value);
    if (typeof value === "bigint") return `${value}n`;
    try {
      return toJson(value) ?? StringOf(value);
    } catch {
      return "[Circular]";
    }
  };

  class ToolError extends ErrorClass {}
  defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true });

  /** @param {(kind: string, ...values: (string | number | boolean)[]) => void} post */
  const install = (post) => {
    // Shared memory and a second compiler are attack surface that no program here needs. Not in the snapshot:
    // V8 refuses to make a context from one in which they are gone.
    for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics"]) delete globalThis[name];

    const pending = new Map();
    const timers = new Map();
    const getPending = Map.prototype.get.bind(pending);
    const setPending = Map.prototype.set.bind(pending);
    const deletePending = Map.prototype.delete.bind(pending);
    const getTimer = Map.prototype.get.bind(timers);
    const setTimer = Map.prototype.set.bind(timers);
    const deleteTimer = Map.prototype.delete.bind(timers);
    let lastId = 0;

    const call = (server, tool, values, isRaw) =>
      new PromiseClass((resolve, reject) => {
        const id = ++lastId;
        const text = toJson(values);
        // Made here so that a failure shows the program's own line; a stack costs little until it is read.
        const error = new ToolError();
        setPending(id, { resolve, reject, error });
        post("call", id, StringOf(server), StringOf(tool), isRaw, text);
      });

    const toFunction = (server, tool) => {
      const made = (...values) => call(server, tool, values, false);
      defineProperty(made, "name", { value: tool });
      made.raw = (...values) => call(server, tool, values, true);
      return made;
    };

    /** An object whose every property is a tool: names are resolved on the host, when they are called. */
    const toServer = (server) => {
      const made = new Map();
      return new Proxy(freeze({}), {
        get: (_target, name) => {
          // A server object that looked thenable would be called by `await`.
          if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
          let tool = made.get(name);
          if (tool === undefined) {
            tool = toFunction(server, name);
            made.set(name, tool);
          }
          return tool;
        },
      });
    };
    const serverObjects = new Map();
    const serverNamed = (name) => {
      let server = serverObjects.get(name);
      if (server === undefined) {
        server = toServer(name);
        serverObjects.set(name, server);
      }
      return server;
    };
    const servers = new Proxy(freeze({}), {
      get: (_target, name) => (typeof name === "string" && name !== "then" ? serverNamed(name) : undefined),
    });

    const print =
      (level) =>
      (...values) =>
        post("log", level, values.map(toText).join(" "));
    const console = {
      log: print("log"),
      info: print("info"),
      warn: print("warn"),
      error: print("error"),
      debug: print("debug"),
      table: print("log"),
      dir: print("log"),
      trace: print("debug"),
    };

    const startTimer = (callback, milliseconds, values, isRepeating) => {
      const id = ++lastId;
      setTimer(id, { run: () => callback(...values), isRepeating });
      post("timer", id, Number(milliseconds) || 0, isRepeating);
      return id;
    };
    const stopTimer = (id) => {
      if (deleteTimer(id)) post("clear", id);
    };

    const globals = {
      console: freeze(console),
      servers,
      callTool: (server, tool, args) => call(server, tool, args === undefined ? [] : [args], false),
      callMCPTool: (name, args) => call("", name, args === undefined ? [] : [args], false),
      setTimeout: (callback, milliseconds, ...values) => startTimer(callback, milliseconds, values, false),
      setInterval: (callback, milliseconds, ...values) => startTimer(callback, milliseconds, values, true),
      clearTimeout: stopTimer,
      clearInterval: stopTimer,
      queueMicrotask: (callback) => void PromiseClass.resolve().then(callback),
      sleep: (milliseconds) => new PromiseClass((resolve) => startTimer(resolve, milliseconds, [], false)),
      ToolError,
    };
    for (const name of Object.keys(globals)) {
      defineProperty(globalThis, name, {
        value: globals[name],
        writable: true,
        configurable: true,
        enumerable: false,
      });
    }

    const toFailure = (thrown) => {
      const isError = thrown instanceof ErrorClass;
      const name = isError ? StringOf(thrown.name) : "Error";
      const message = isError ? StringOf(thrown.message) : toText(thrown);
      const stack = isError && typeof thrown.stack === "string" ? thrown.stack : "";
      const code = isError && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
      return [name.slice(0, 200), message.slice(0, 20_000), stack.slice(0, 20_000), code.slice(0, 100)];
    };
    const fail = (thrown) => {
      let parts;
      try {
        parts = toFailure(thrown);
      } catch {
        parts = ["Error", "The program threw something that cannot be shown", "", ""];
      }
      post("failed", ...parts);
    };

    return {
      /** Defines servers as global objects and starts the program. */
      start: (program, globalsJson) => {
        const named = parse(globalsJson);
        for (const identifier of Object.keys(named)) {
          defineProperty(globalThis, identifier, {
            value: serverNamed(named[identifier]),
            writable: true,
            configurable: true,
            enumerable: false,
          });
        }
        program().then((value) => {
          let text;
          try {
            text = toJson(value);
          } catch (error) {
            return fail(new TypeError(`The returned value cannot be turned into JSON: ${toText(error)}`));
          }
          post("completed", text === undefined ? "" : text, text !== undefined);
        }, fail);
      },
      answer: (id, isAnswer, format, body, name, code) => {
        const waiting = getPending(id);
        if (waiting === undefined) return;
        deletePending(id);
        if (isAnswer) {
          if (format === "text") return waiting.resolve(body);
          if (format === "json") return waiting.resolve(parse(body));
          let value = body;
          try {
            value = parse(body);
          } catch {}
          return waiting.resolve(value);
        }
        const { error } = waiting;
        defineProperty(error, "message", {
          value: body,
          writable: true,
          configurable: true,
          enumerable: false,
        });
        defineProperty(error, "name", { value: name, writable: true, configurable: true, enumerable: false });
        error.code = code;
        waiting.reject(error);
      },
      tick: (id) => {
        const timer = getTimer(id);
        if (timer === undefined) return;
        if (!timer.isRepeating) deleteTimer(id);
        try {
          timer.run();
        } catch (error) {
          fail(error);
        }
      },
    };
  };
  return install;
})();
