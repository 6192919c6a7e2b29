// A guest tries to use up time, memory, output, calls or timers. Each ends within its limit, and only its own run.
import { type Attempt, testAttempts } from "./support/attempts.js";

const quick = { timeoutMs: 700 };
const attempts: readonly Attempt[] = [
  { name: "an endless loop", code: "for (;;) {}", limits: quick, ends: "stopped" },
  {
    name: "an endless loop that catches everything",
    code: "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "an endless chain of microtasks",
    code: "const next = () => Promise.resolve().then(next); await next();",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "microtasks that never let a timer run",
    code: "let go = true; setTimeout(() => { go = false; }, 10); while (go) await null;",
    limits: quick,
  },
  {
    name: "an endless generator",
    code: "const all = (function* () { for (;;) yield 1; })(); return [...all].length;",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "an endless async generator",
    code: "for await (const value of (async function* () { for (;;) yield 1; })()) {}",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a regular expression that backtracks",
    code: 'return /^(a+)+$/.test("a".repeat(40) + "!");',
    limits: quick,
  },
  {
    name: "a regular expression over a long text",
    code: 'return /(x+x+)+y/.exec("x".repeat(5000));',
    limits: quick,
  },
  {
    name: "a huge BigInt",
    code: "const value = 7n ** 4000000n; return String(value * value).length;",
    limits: quick,
  },
  { name: "a BigInt tower", code: "let value = 3n; for (;;) value = value * value;", limits: quick },
  {
    name: "an endless sort",
    code: "return [3, 2, 1].sort(() => { for (;;) {} });",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a getter on the value that never returns",
    code: "return { get value() { for (;;) {} } };",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a toJSON that never returns",
    code: "await tools.echo({ toJSON() { for (;;) {} } });",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a deep recursion",
    code: "const dive = (depth) => dive(depth + 1) + 1; return dive(0);",
    ends: "failed",
  },
  {
    name: "a recursion through a Proxy",
    code: "const bait = new Proxy({}, { get: (target, key, receiver) => receiver[key] }); return bait.x;",
  },
  {
    name: "a recursion through JSON",
    code: "let value = []; for (let i = 0; i < 1e5; i++) value = [value]; return JSON.stringify(value).length;",
  },
  {
    name: "a deeply nested value",
    code: "let value = {}; for (let i = 0; i < 1e5; i++) value = { value }; return value;",
  },
  {
    name: "deeply nested arguments",
    code: "let value = {}; for (let i = 0; i < 1e5; i++) value = { value }; try { await tools.echo(value); } catch {} return 1;",
  },
  {
    name: "a heap that grows",
    code: "const all = []; for (;;) all.push({ x: Math.random(), y: [1, 2, 3] });",
    ends: "stopped",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "an array filled with numbers",
    code: "const all = []; for (;;) all.push(new Array(10000).fill(all.length));",
    ends: "stopped",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "one huge array",
    code: "return new Array(5e7).fill(0).map((_, i) => ({ i })).length;",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "an array that doubles",
    code: "let all = [1.1]; for (;;) all = all.concat(all);",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "array buffers",
    code: "const all = []; for (;;) { const bytes = new Uint8Array(16 << 20); bytes.fill(1); all.push(bytes); }",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a string that doubles",
    code: "let text = 'x'.repeat(1 << 20); const all = []; for (;;) { text += text; all.push(text + all.length); }",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "strings that are joined",
    code: "const all = []; for (let i = 0; ; i++) all.push(('x' + i).repeat(1 << 20).split('').join(String(i)));",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a Map that grows",
    code: "const all = new Map(); for (let i = 0; ; i++) all.set(i, { i });",
    limits: { timeoutMs: 5000 },
  },
  {
    name: "symbols and closures that grow",
    code: "const all = []; for (let i = 0; ; i++) all.push(Symbol(String(i)), () => i);",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a promise flood",
    code: "const all = []; for (;;) all.push(new Promise(() => {}));",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a timer flood",
    code: "for (;;) setTimeout(() => {}, 100000);",
    limits: { timeoutMs: 5000 },
    ends: "stopped",
  },
  {
    name: "an interval that never ends",
    code: "setInterval(() => {}, 1); await new Promise(() => {});",
    limits: quick,
    ends: "stopped",
  },
  {
    name: "a million calls",
    code: "for (let i = 0; i < 1e6; i++) tools.echo({ i }); return 1;",
    limits: { calls: 2000, timeoutMs: 10000 },
    ends: "stopped",
  },
  {
    name: "a million calls, each awaited",
    code: "for (let i = 0; i < 1e6; i++) await tools.echo({ i });",
    limits: { calls: 500, timeoutMs: 10000 },
    ends: "stopped",
  },
  {
    name: "a huge returned text",
    code: "return 'x'.repeat(6e7);",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a huge printed text",
    code: "console.log('x'.repeat(6e7));",
    limits: { timeoutMs: 10000 },
    ends: "stopped",
  },
  {
    name: "endless printing",
    code: "for (;;) console.log('x'.repeat(1000));",
    limits: { timeoutMs: 10000 },
    ends: "stopped",
  },
  {
    name: "endless printing, catching everything",
    code: "for (;;) try { console.log('x'.repeat(1000)); } catch {}",
    limits: { timeoutMs: 10000 },
    ends: "stopped",
  },
  {
    name: "endless printing of empty lines",
    code: "for (;;) console.log('');",
    limits: { timeoutMs: 10000, outputBytes: 50000 },
    ends: "stopped",
  },
  {
    name: "a huge argument",
    code: "try { await tools.echo('x'.repeat(4e7)); } catch {} return 1;",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "a value like a zip bomb",
    code: "const part = new Array(1000).fill('x'.repeat(100)); return new Array(1000).fill(part);",
    limits: { timeoutMs: 10000 },
  },
  {
    name: "very many timers that are set and cleared at once",
    code: "for (let i = 0; i < 12000; i++) clearTimeout(setTimeout(() => {}, 100000)); return 1;",
    value: 1,
  },
  {
    name: "calls that are not awaited, whose arguments and answers together are larger than the budget",
    code: "const all = []; for (let i = 0; i < 40; i++) all.push(tools.echo('x'.repeat(1e5))); return (await Promise.all(all)).length;",
    limits: { bytesInFlight: 1 << 18 },
    value: 40,
  },
  {
    name: "an argument above its limit",
    code: "try { return await tools.echo('x'.repeat(9e6)); } catch (error) { return error.code; }",
    limits: { memoryMb: 256, argumentBytes: 1 << 20 },
    value: "ARGUMENTS_INVALID",
  },
  { name: "a wait for nothing", code: "await new Promise(() => {});", ends: "failed" },
  {
    name: "many waits for a slow call",
    code: "await Promise.all(Array.from({ length: 300 }, () => tools.slow({}))); return 1;",
    value: 1,
  },
];

await testAttempts("survives exhaustion", "typescript", attempts);
