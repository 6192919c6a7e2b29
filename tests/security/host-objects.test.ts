// A guest looks for an object, function or error of the host: the usual escape from sandboxes that share a heap.
import { type Attempt, testAttempts } from "./support/attempts.js";

/** Tries to become the host through a `Function` of another realm. */
const grab = `const grab = (make) => { const reach = make("return typeof process !== 'undefined' ? process : typeof global !== 'undefined' ? global.process : undefined")(); if (!reach) return "nothing"; const fs = reach.getBuiltinModule?.("fs") ?? reach.mainModule?.require("fs"); return String(reach.env?.PLANTED_SECRET) + fs.readFileSync("FILE", "utf8"); };`;

const through = (name: string, expression: string): Attempt => ({
  name,
  code: `${grab}\nreturn grab(${expression});`,
});

const chains: readonly Attempt[] = [
  through("constructor of the global object", "globalThis.constructor.constructor"),
  through("constructor of this", "(function () { return this ?? globalThis; })().constructor.constructor"),
  through("Function itself", "Function"),
  through("constructor of an async function", "(async () => {}).constructor"),
  through("constructor of a generator", "(function* () {}).constructor"),
  through("constructor of an async generator", "(async function* () {}).constructor"),
  through("constructor of a tool function", "tools.echo.constructor"),
  through("constructor of a tool's raw function", "tools.echo.raw.constructor"),
  through("constructor of a tool's promise", "tools.echo({}).constructor.constructor"),
  through("then of a tool's promise", "tools.echo({}).then.constructor"),
  through("constructor of a tool's answer", "(await tools.echo({ a: 1 })).constructor.constructor"),
  through("constructor of an array in an answer", "(await tools.echo([1]))[0].constructor.constructor"),
  through(
    "constructor of a caught tool error",
    "await tools.fail({}).catch((error) => error.constructor.constructor)",
  ),
  through(
    "prototype chain of a tool error",
    "await tools.fail({}).catch((error) => Object.getPrototypeOf(Object.getPrototypeOf(error)).constructor.constructor)",
  ),
  through("constructor of console.log", "console.log.constructor"),
  through("constructor of setTimeout", "setTimeout.constructor"),
  through("constructor of sleep's promise", "sleep(1).constructor.constructor"),
  through("constructor of the servers object", "Object.getPrototypeOf(servers).constructor.constructor"),
  through("constructor of callMCPTool", "callMCPTool.constructor"),
  through("constructor of ToolError", "ToolError.constructor"),
  through(
    "constructor of a Proxy's target through Reflect",
    "Reflect.getPrototypeOf(tools).constructor.constructor",
  ),
  through("the valueOf of a boxed value", "Object(1).valueOf.constructor"),
  through("a getter's function", "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.constructor"),
  through("__lookupGetter__", "({}).__lookupGetter__('__proto__').constructor"),
  through("a bound function", "(() => {}).bind().constructor"),
  through("a WeakRef's deref", "new WeakRef({}).deref.constructor"),
  through("an iterator's next", "[][Symbol.iterator]().next.constructor"),
  through("a class's static block", "class { static f() {} }.f.constructor"),
  through("eval", "(0, eval)('Function')"),
  through("new Function inside eval", "eval('(class {}).constructor')"),
];

const errors: readonly Attempt[] = [
  {
    name: "prepareStackTrace frames",
    code: `${grab}\nError.prepareStackTrace = (_error, frames) => frames; const frames = new Error("x").stack; if (!Array.isArray(frames)) return "text"; for (const frame of frames) for (const reach of [frame.getThis?.(), frame.getFunction?.()]) { if (reach) return grab(reach.constructor.constructor); } return "frames only";`,
  },
  {
    name: "prepareStackTrace of a tool error",
    code: `${grab}\nError.prepareStackTrace = (_error, frames) => frames; try { await tools.fail({}); } catch (error) { const frames = error.stack; if (!Array.isArray(frames)) return "text"; for (const frame of frames) { const reach = frame.getFunction?.() ?? frame.getThis?.(); if (reach) return grab(reach.constructor.constructor); } } return "frames only";`,
  },
  {
    name: "a stack overflow's error",
    code: `${grab}\nconst dive = () => dive(); try { dive(); } catch (error) { return grab(error.constructor.constructor); }`,
  },
  {
    name: "a stack overflow inside a tool call",
    code: `${grab}\nlet found; const dive = () => { try { tools.echo({}); dive(); } catch (error) { found = error; } }; dive(); return grab(found.constructor.constructor);`,
  },
  {
    name: "the cause of an error",
    code: `${grab}\ntry { await tools.fail({}); } catch (error) { return error.cause ? grab(error.cause.constructor.constructor) : "no cause"; }`,
    value: "no cause",
  },
  {
    name: "an AggregateError of tool errors",
    code: `${grab}\ntry { await Promise.any([tools.fail({}), tools.fail({})]); } catch (error) { return grab(error.errors[0].constructor.constructor); }`,
  },
  {
    name: "a RangeError of the engine",
    code: `${grab}\ntry { new Array(-1); } catch (error) { return grab(error.constructor.constructor); }`,
  },
  {
    name: "an error of JSON.parse",
    code: `${grab}\ntry { JSON.parse("{"); } catch (error) { return grab(error.constructor.constructor); }`,
  },
  {
    name: "an error thrown by a getter on arguments",
    code: `${grab}\nlet found = "none"; const bait = { get value() { try { null.x; } catch (error) { found = error; } return 1; } }; await tools.echo(bait); return grab(found.constructor.constructor);`,
  },
  {
    name: "toJSON on arguments sees no host",
    code: `const seen = []; await tools.echo({ toJSON() { seen.push(typeof process, typeof require, new Error().stack.includes("/src/")); return 1; } }); return seen;`,
    value: ["undefined", "undefined", false],
  },
  {
    name: "a Proxy as arguments sees no host",
    code: `${grab}\nlet found; await tools.echo(new Proxy({}, { get: (target, key, receiver) => { found ??= receiver; return Reflect.get(target, key); }, ownKeys: () => [] })); return found ? grab(Object.getPrototypeOf(found).constructor.constructor) : "unseen";`,
  },
  {
    name: "Function.caller and arguments.caller",
    code: `function reach() { try { return String(reach.caller); } catch { return "denied"; } } return reach();`,
  },
  {
    name: "Symbol.species on an array of answers",
    code: `${grab}\nclass Bait extends Array { static get [Symbol.species]() { return function (...values) { return new Bait(...values); }; } } const made = Bait.from(await tools.echo([1, 2])).map((value) => value); return grab(made.constructor.constructor);`,
  },
  {
    name: "a thenable passed to a tool",
    code: `let called = false; await tools.echo({ then: (resolve) => { called = true; resolve(1); } }); return called;`,
    value: false,
  },
  {
    name: "a poisoned Promise.prototype.then",
    code: `${grab}\nlet found; const original = Promise.prototype.then; Promise.prototype.then = function (...values) { found ??= values.find((value) => typeof value === "function"); return original.apply(this, values); }; await tools.echo({}); Promise.prototype.then = original; return found ? grab(found.constructor) : "unseen";`,
  },
  {
    name: "a poisoned JSON",
    code: `${grab}\nlet seen = []; JSON.parse = JSON.stringify = (value) => { seen.push(value); return "{}"; }; await tools.echo({ a: 1 }); return seen.length;`,
    value: 0,
  },
  {
    name: "a poisoned Map.prototype",
    code: `Map.prototype.get = () => ({ resolve: 1 }); Map.prototype.set = () => {}; Map.prototype.delete = () => false; return await tools.echo({ a: 1 });`,
  },
  {
    name: "a poisoned Array.prototype and Object.defineProperty",
    code: `Array.prototype.map = () => ["stolen"]; Array.prototype.join = () => "stolen"; Object.defineProperty = () => { throw new Error("stolen"); }; console.log("still here"); return await tools.echo(1);`,
  },
  {
    name: "a poisoned Error constructor",
    code: `globalThis.Error = class { constructor() { throw 1; } }; try { await tools.fail({}); } catch (error) { return typeof error; }`,
  },
  {
    name: "async generator return with a thenable",
    code: `${grab}\nasync function* walk() { yield* { [Symbol.asyncIterator]: () => ({ next: () => ({ done: true, value: { get then() { return (resolve) => resolve(Function); } } }) }) }; } const found = await walk().next(); return grab(found.value ?? Function);`,
  },
  {
    name: "a FinalizationRegistry callback",
    code: `${grab}\nconst found = await new Promise((resolve) => { const registry = new FinalizationRegistry(resolve); registry.register({}, Function); setTimeout(() => resolve(Function), 50); }); return grab(found);`,
  },
  {
    name: "the isolate's own callback is not reachable from globals",
    code: `return Reflect.ownKeys(globalThis).filter((key) => /install|post|ivm|guest/i.test(String(key)));`,
    value: [],
  },
];

await testAttempts("reveals no host object", "typescript", [...chains, ...errors]);
