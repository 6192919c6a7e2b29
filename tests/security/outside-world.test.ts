// A guest looks for files, network, environment, processes and modules.
import { type Attempt, testAttempts } from "./support/attempts.js";

const absent = (name: string): Attempt => ({
  name: `the global ${name}`,
  code: `return typeof ${name};`,
  value: "undefined",
});

const read = 'readFileSync("FILE", "utf8")';
const attempts: readonly Attempt[] = [
  ...[
    "process",
    "require",
    "module",
    "exports",
    "global",
    "Buffer",
    "__dirname",
    "__filename",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "Worker",
    "SharedWorker",
    "MessageChannel",
    "BroadcastChannel",
    "WebAssembly",
    "SharedArrayBuffer",
    "Atomics",
    "Deno",
    "Bun",
    "navigator",
    "window",
    "document",
    "localStorage",
    "indexedDB",
    "importScripts",
    "Request",
    "Response",
  ].map(absent),
  { name: "import of node:fs", code: `return (await import("node:fs")).${read};`, ends: "failed" },
  {
    name: "import of fs by a computed name",
    code: `const name = ["node:", "fs"].join(""); return (await import(name)).${read};`,
    ends: "failed",
  },
  {
    name: "import of child_process",
    code: 'const name = "child_" + "process"; return (await import(name)).execSync("id").toString();',
    ends: "failed",
  },
  {
    name: "import of a file URL",
    code: 'const name = "file://FILE"; return await import(name);',
    ends: "failed",
  },
  {
    name: "import of a data URL",
    code: 'const name = "data:text/javascript,export default process"; return await import(name);',
    ends: "failed",
  },
  {
    name: "import of an http URL",
    code: 'const name = "http://127.0.0.1:PORT/"; return await import(name);',
    ends: "failed",
  },
  {
    name: "import with attributes",
    code: 'const name = "FILE"; return await import(name, { with: { type: "json" } });',
    ends: "failed",
  },
  { name: "import.meta of an eval'd module", code: 'return eval("import.meta.url");', ends: "failed" },
  {
    name: "require through module.constructor",
    code: 'return module.constructor._load("fs");',
    ends: "failed",
  },
  { name: "process.binding", code: 'return process.binding("fs");', ends: "failed" },
  {
    name: "process.getBuiltinModule",
    code: 'return globalThis.process?.getBuiltinModule?.("fs") ?? "nothing";',
    value: "nothing",
  },
  {
    name: "fetch of the loopback listener",
    code: 'return await fetch("http://127.0.0.1:PORT/").then((answer) => answer.text());',
    ends: "failed",
  },
  {
    name: "a tool that is not a tool: file path as a server",
    code: 'return await servers["FILE"].read({});',
  },
  { name: "a tool name with a path", code: 'return await tools["../../secret.txt"]({});' },
  {
    name: "Intl and Date show the time zone only",
    code: "return typeof Intl === 'undefined' ? 'none' : typeof Intl.DateTimeFormat().resolvedOptions().timeZone;",
  },
  {
    name: "an error's stack shows no host path",
    code: 'return /node_modules|executors|\\/src\\/|\\/dist\\/|file:/.test(new Error("x").stack);',
    value: false,
  },
  {
    name: "a tool error's stack shows no host path",
    code: "try { await tools.fail({}); } catch (error) { return /node_modules|executors|\\/src\\/|\\/dist\\/|file:/.test(error.stack); }",
    value: false,
  },
  {
    name: "globalThis has nothing of the planted secret",
    code: 'const seen = new Set(); const walk = (value, depth) => { if (depth > 4 || value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) return ""; seen.add(value); return Reflect.ownKeys(value).map((key) => { try { const item = value[key]; return typeof item === "string" ? item : walk(item, depth + 1); } catch { return ""; } }).join(" "); }; return walk(globalThis, 0).slice(0, 100000);',
  },
  {
    name: "many realms through ShadowRealm",
    code: 'return typeof ShadowRealm === "undefined" ? "none" : new ShadowRealm().evaluate("typeof process");',
  },
];

await testAttempts("gives no access to the outside world", "typescript", attempts);
