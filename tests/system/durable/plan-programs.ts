// TypeScript programs to plan, and the verdict on each call: "." it can be committed, "x" it comes after a made-up answer
// that the program may have inspected. The shop holds two notes, 4001 and 4002, before each of them.

export interface PlannedProgram {
  readonly title: string;
  readonly code: string;
  readonly verdicts: string;
  /** The verdicts in words. */
  readonly outcome: string;
}

export const toPrograms = (
  rows: readonly (readonly [title: string, verdicts: string, code: string])[],
): readonly PlannedProgram[] =>
  rows.map(([title, verdicts, code]) => {
    const first = verdicts.indexOf("x") + 1;
    const outcome = first === 0 ? "can be committed" : `uses a made-up answer from call ${first} on`;
    return { title, verdicts, code, outcome };
  });

/** Expressions that inspect `a`, which is known only to be an object. */
const looks = [
  "JSON.stringify(a)",
  "structuredClone(a)",
  "console.log(a)",
  "Object.keys(a)",
  "({ ...a })",
  "`${a}`",
  '"id" in a',
  "a instanceof Map",
  "const { id } = a",
  "a.id = 5",
  "delete a.id",
  "for (const name in a) break",
  "Object.freeze(a)",
  "await shop.find({ id: a }).catch(() => {})",
];

export const typescriptPrograms = toPrograms([
  // Programs whose calls depend on no made-up answer.
  [
    "writes one after another",
    "...",
    'await shop.note({ text: "a" }); await shop.note({ text: "b" }); await shop.label({ id: 1 })',
  ],
  [
    "writes what it read",
    "..",
    "const { notes } = await shop.list({}); for (const { id } of notes) await shop.label({ id })",
  ],
  [
    "reads and writes in turn",
    "..",
    "for (const id of [4001, 4002]) { const found = await shop.find({ id }); await shop.label({ id: found.id }) }",
  ],
  [
    "awaits a list of writes",
    "...",
    'await Promise.all([shop.note({ text: "a" }), shop.note({ text: "b" })]); await shop.label({ id: 1 })',
  ],
  [
    "awaits writes of a map",
    "...",
    "await Promise.all([1, 2].map((id) => shop.label({ id }))); await shop.label({ id: 3 })",
  ],
  [
    "awaits writes of an async map",
    "...",
    "await Promise.all([1, 2].map(async (id) => { await shop.label({ id }) })); await shop.label({ id: 3 })",
  ],
  [
    "awaits writes of an async map that returns",
    "...",
    "await Promise.all([1, 2].map(async (id) => { return shop.label({ id }) })); await shop.label({ id: 3 })",
  ],
  [
    "awaits writes of a spread map",
    "....",
    'await Promise.allSettled([shop.note({ text: "a" }), ...[1, 2].map((id) => shop.label({ id }))]); await shop.label({ id: 3 })',
  ],
  [
    "awaits writes of Array.from",
    "...",
    "await Promise.all(Array.from([1, 2], (id) => shop.label({ id }))); await shop.label({ id: 3 })",
  ],
  [
    "writes in a helper",
    "..",
    "const mark = async (id) => { await shop.label({ id }); }; await mark(1); await mark(2)",
  ],
  [
    "writes in a helper that is an expression",
    "...",
    "const mark = (id) => shop.label({ id }); await mark(1); await mark(2); await mark(3)",
  ],
  [
    "writes in a declared helper",
    "..",
    "async function mark(id) { return await shop.label({ id }); } await mark(1); await mark(2)",
  ],
  [
    "writes in a helper of a helper",
    "..",
    "const mark = (id) => shop.label({ id }); const twice = (id) => mark(id); await twice(1); await twice(2)",
  ],
  [
    "writes in a method",
    "..",
    "class Book { async add(id) { await shop.label({ id }) } } const book = new Book(); await book.add(1); await book.add(2)",
  ],
  ["writes with void", "..", "void shop.label({ id: 1 }); await sleep(1); await shop.label({ id: 2 })"],
  [
    "writes if a read says so",
    "..",
    "const { notes } = await shop.list({}); notes.length > 1 && (await shop.label({ id: 1 })); notes[0] ? await shop.label({ id: 2 }) : 0",
  ],
  ["ignores a failure", "..", "await shop.label({ id: 1 }).catch(() => {}); await shop.label({ id: 2 })"],
  [
    "continues in then, without the answer",
    "...",
    "await shop.label({ id: 1 }).then(() => shop.label({ id: 2 })); await shop.label({ id: 3 })",
  ],
  [
    "continues in finally",
    "...",
    "await shop.label({ id: 1 }).finally(() => shop.label({ id: 2 })); await shop.label({ id: 3 })",
  ],
  [
    "writes in forEach",
    "...",
    "[1, 2].forEach((id) => shop.label({ id })); await sleep(1); await shop.label({ id: 3 })",
  ],
  [
    "writes in forEach of a map and a set",
    "...",
    "new Map([[1, 1]]).forEach((id) => shop.label({ id })); new Set([2]).forEach((id) => shop.label({ id })); await sleep(1); await shop.label({ id: 3 })",
  ],
  [
    "writes in a function that is called immediately",
    "..",
    "await (async () => shop.label({ id: 1 }))(); await shop.label({ id: 2 })",
  ],
  [
    "writes in try",
    "..",
    "try { await shop.label({ id: 1 }) } catch { await shop.label({ id: 9 }) } await shop.label({ id: 2 })",
  ],
  ["writes over several lines", "..", 'await shop\n  .note({ text: "a" });\nawait shop["label"]({ id: 2 })'],
  [
    "writes by name",
    "...",
    'await callTool("shop", "label", { id: 1 }); await servers.shop.label({ id: 2 }); await shop.label.raw({ id: 3 })',
  ],
  [
    "writes with imported functions",
    "..",
    'import { label } from "servers/shop"; await label({ id: 1 }); await label({ id: 2 })',
  ],
  [
    "writes with an imported module",
    "..",
    'import * as all from "servers/shop"; await all.label({ id: 1 }); await all.label({ id: 2 })',
  ],
  [
    "returns the answer of the last write",
    "..",
    'await shop.note({ text: "a" }); return await shop.note({ text: "b" })',
  ],
  [
    "collects objects and inspects them at the end",
    "..",
    'const a = await shop.create({ text: "a" }); const b = await shop.create({ text: "b" }); return [a, b]',
  ],
  [
    "collects objects in a loop",
    "...",
    'const made = []; for (const text of ["a", "b", "c"]) made.push(await shop.create({ text })); return made',
  ],
  [
    "inspects all objects of one Promise.all",
    "..",
    'const made = await Promise.all(["a", "b"].map((text) => shop.create({ text }))); return made.map(({ id }) => id)',
  ],
  [
    "passes an object through a helper",
    "..",
    'const make = async (text) => { const made = await shop.create({ text }); return made }; const all = [await make("a"), await make("b")]; return all',
  ],
  // An answer decides what is called.
  ["writes a made-up id", ".x", 'const { id } = await shop.create({ text: "a" }); await shop.label({ id })'],
  [
    "writes a text that contains one",
    ".x",
    'const { id } = await shop.create({ text: "a" }); await shop.note({ text: `N-${id}` })',
  ],
  [
    "calculates with a made-up number",
    ".x",
    'const made = await shop.create({ text: "a" }); await shop.label({ id: made.id * 0 + 1 })',
  ],
  [
    "orders its calls by a made-up id",
    ".xx",
    'const { id } = await shop.create({ text: "a" }); for (const one of id % 2 ? [1, 2] : [2, 1]) await shop.label({ id: one })',
  ],
  [
    "tests two fields at once",
    ".x",
    'const { id, text } = await shop.create({ text: "a" }); if (!(id === 3 && text === "q")) await shop.label({ id: 1 })',
  ],
  [
    "tests the length of a list",
    ".x",
    'const { tags } = await shop.create({ text: "a" }); if (tags.length !== 17) await shop.label({ id: 1 })',
  ],
  [
    "ends early for one list length",
    ".x",
    'const { tags } = await shop.create({ text: "a" }); if (tags.length === 41) return; await shop.label({ id: 1 })',
  ],
  [
    "reads a date",
    ".x",
    'const { at } = await shop.create({ text: "a" }); if (new Date(at).getFullYear() !== 1601) await shop.label({ id: 1 })',
  ],
  [
    "matches a pattern",
    ".x",
    'const { text } = await shop.create({ text: "a" }); if (!/^z{9}/.test(text)) await shop.label({ id: 1 })',
  ],
  [
    "compares with a computed number",
    ".x",
    'const { id } = await shop.create({ text: "a" }); if (id !== 7 * 1931 + 1) await shop.label({ id: 1 })',
  ],
  [
    "makes more calls for another answer",
    ".x",
    'const { id } = await shop.create({ text: "a" }); if (id === -12345) await shop.label({ id: 9 }); await shop.label({ id: 1 })',
  ],
  [
    "passes a made-up id to a read",
    ".x",
    'const { id } = await shop.create({ text: "a" }); await shop.find({ id }); await shop.label({ id: 4001 })',
  ],
  [
    "converts an answer to JSON and back",
    ".x",
    'const made = JSON.parse(JSON.stringify(await shop.create({ text: "a" }))); await shop.label({ id: 1 })',
  ],
  // Answers that are not certain to be objects.
  [
    "binds an answer of any type to a name",
    ".x",
    'const made = await shop.note({ text: "a" }); await shop.label({ id: 1 })',
  ],
  ["tests an answer", ".x", 'if (await shop.note({ text: "a" })) await shop.label({ id: 1 })'],
  [
    "tests the type of an answer",
    ".x",
    'const kind = typeof (await shop.note({ text: "a" })); await shop.label({ id: 1 })',
  ],
  [
    "has a default for an answer",
    ".x",
    '(await shop.note({ text: "a" })) ?? (await shop.label({ id: 2 })); await shop.label({ id: 1 })',
  ],
  [
    "requests a whole result",
    ".x",
    'const made = await shop.create.raw({ text: "a" }); await shop.label({ id: 1 })',
  ],
  ["prints an answer", ".x", 'console.log(await shop.note({ text: "a" })); await shop.label({ id: 1 })'],
  ["uses an optional call", ".x", 'await shop?.note({ text: "a" }); await shop.label({ id: 1 })'],
  // Ways around a statement.
  [
    "reads the answer in then",
    ".x",
    'let id = 1; await shop.note({ text: "a" }).then((made) => { id = made.id ?? 2; }); await shop.label({ id })',
  ],
  [
    "reads the answer in then, by arguments",
    ".x",
    'let id = 1; await shop.note({ text: "a" }).then(function () { id = arguments.length; }); await shop.label({ id })',
  ],
  [
    "passes the function itself to map",
    "..x",
    'const write = (text) => shop.note({ text }); await Promise.all(["a", "b"].map(write)); await shop.label({ id: 1 })',
  ],
  [
    "keeps the last answer of a Promise.all",
    "..x",
    "let last; await Promise.all([1, 2].map(async (id) => { last = await shop.label({ id }) })); await shop.label({ id: 3 })",
  ],
  [
    "counts settled promises",
    "..x",
    "const all = await Promise.allSettled([1, 2].map((id) => shop.label({ id }))); if (all.length) await shop.label({ id: 3 })",
  ],
  [
    "waits with a timeout",
    ".x",
    'const made = await Promise.race([shop.create({ text: "a" }), sleep(5000)]); if (made) await shop.label({ id: 1 }); else await shop.label({ id: 2 })',
  ],
  [
    "tests whether the answer has arrived",
    ".x",
    'let made; shop.create({ text: "a" }).then((one) => { made = one; }); await sleep(300); if (made) await shop.label({ id: 1 })',
  ],
  [
    "inspects an answer in a helper whose value is discarded",
    ".x",
    'const add = async () => { const made = await shop.note({ text: "a" }); await shop.label({ id: made ? 1 : 2 }); }; await add()',
  ],
  [
    "binds what a helper returns to a name once",
    ".xx",
    'const add = (text) => shop.note({ text }); await add("a"); const made = await add("b"); await shop.label({ id: 1 })',
  ],
  [
    "calls itself by its own name",
    ".xx",
    'const add = async function again(n) { if (n > 0) await again(n - 1); return shop.note({ text: "a" }); }; const made = await add(1); await shop.label({ id: made ? 1 : 2 })',
  ],
  [
    "yields its answers",
    ".x",
    'async function* all() { const made = yield shop.note({ text: "a" }); } for await (const made of all()) await shop.label({ id: made ? 1 : 2 })',
  ],
  [
    "returns answers from a generator",
    ".x",
    'const all = function* () { return shop.note({ text: "a" }); }; const { value } = all().next(); await shop.label({ id: (await value) ? 1 : 2 })',
  ],
  [
    "has a write among its arguments",
    "..x",
    'const made = await shop.create({ text: (shop.label({ id: 1 }), "a") }); await shop.label({ id: made.id })',
  ],
  [
    "defines its own Promise.all",
    ".x",
    'const Promise = { all: ([one]) => one.then((made) => shop.label({ id: made ? 1 : 2 })) }; await Promise.all([shop.note({ text: "a" })])',
  ],
  [
    "defines a forEach that inspects what its callback returns",
    ".x",
    'class Batch { async forEach(work) { const made = await work("a"); await shop.label({ id: made ? 1 : 2 }) } } await new Batch().forEach((text) => shop.note({ text }))',
  ],
  [
    "defines a map that inspects what its callback returns",
    ".x",
    'const rows = { map: (work) => [work("a").then((made) => shop.label({ id: made ? 1 : 2 }))] }; await Promise.all(rows.map((text) => shop.note({ text })))',
  ],
  ...["then", "catch", "finally"].map(
    (name) =>
      [
        `defines a ${name} that inspects what its callback returns`,
        ".x",
        `const job = { ${name}: async (work) => { const made = await work(); await shop.label({ id: made ? 1 : 2 }) } }; await job.${name}(() => shop.note({ text: "a" }))`,
      ] as const,
  ),
  [
    "inspects an answer beside a call that is too large",
    ".x",
    'const made = await shop.note({ text: "a" }); await shop.note({ text: "x".repeat(2e7) }).catch(() => {}); await shop.label({ id: made ? 1 : 2 })',
  ],
  [
    "defines a map that stores what its callback returns",
    ".x",
    'let id; const all = { map: (work) => [work(1).then((made) => { id = made?.id ?? 99 })] }; await Promise.all(all.map(() => shop.create({ text: "a" }))); await shop.label({ id })',
  ],
  [
    "defines a forEach that stores what its callback returns",
    ".x",
    'const all = { forEach(work) { this.made = work(1); } }; all.forEach(() => shop.create({ text: "a" })); await shop.label({ id: (await all.made)?.id ?? 99 })',
  ],
  [
    "discards what a callback returns, and returns an answer itself",
    ".x",
    'async function each(work) { await work(1); return shop.note({ text: "a" }); } const made = await each(async () => {}); await shop.label({ id: made ? 1 : 2 })',
  ],
  ...looks.map(
    (look) =>
      [
        `inspects an answer with ${look}`,
        ".x",
        `const a = await shop.create({ text: "a" }); ${look}; await shop.label({ id: 1 })`,
      ] as const,
  ),
]);
