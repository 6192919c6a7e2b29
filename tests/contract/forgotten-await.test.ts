// A forgotten "await" never looks like an answer: returned promises are awaited, printed or stringified ones are refused.
import { afterAll, describe, expect, it } from "vitest";
import { defaultLimits, type Executor, type GuestOutcome } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { openIsolateExecutor, openWasmExecutor } from "../../src/executors/engines/typescript.js";

/** `desk.twice` returns its number doubled, `desk.fail` fails. */
const run = (executor: Executor, code: string): Promise<GuestOutcome> =>
  executor.run({
    language: executor.languages[0] ?? "typescript",
    code,
    files: [],
    globals: { desk: "desk" },
    limits: defaultLimits,
    host: {
      call: async ({ tool, argumentsJson }) =>
        tool === "fail"
          ? { status: "failed", name: "ToolError", message: "quota exceeded", code: "TOOL_FAILED" }
          : {
              status: "answered",
              format: "json",
              body: JSON.stringify(2 * (JSON.parse(argumentsJson) as [number])[0]),
            },
    },
  });

const toValue = (outcome: GuestOutcome): unknown =>
  outcome.status === "completed" ? JSON.parse(outcome.valueJson ?? "null") : outcome;

const forEach = (executors: readonly Executor[], test: (executor: Executor) => void): void => {
  for (const executor of executors) describe(executor.name, () => test(executor));
};

const typescript = [
  openIsolateExecutor({ limits: defaultLimits }),
  openWasmExecutor({ limits: defaultLimits }),
];
const python = [
  openPythonExecutor({ limits: defaultLimits, preload: [] }),
  openPythonLiteExecutor({ limits: defaultLimits }),
];
const usable = async (executors: readonly Executor[]): Promise<readonly Executor[]> => {
  const reports = await Promise.all(executors.map((executor) => executor.inspect()));
  return executors.filter((_executor, at) => reports[at]?.isAvailable === true);
};
afterAll(() => Promise.all([...typescript, ...python].map((executor) => executor.close())));

const returned: readonly (readonly [code: string, value: unknown])[] = [
  ["return [1, 2].map((n) => desk.twice(n))", [2, 4]],
  ["return [desk.twice(1), desk.twice(2)]", [2, 4]],
  ["return { n: desk.twice(1), deep: { m: [desk.twice(3)] } }", { n: 2, deep: { m: [6] } }],
  ["const out = []; out.push(desk.twice(1)); return out", [2]],
  ["return new Map([['a', desk.twice(1)]])", { a: 2 }],
  ["return new Set([desk.twice(1)])", [2]],
  ["return { rows: (async () => [desk.twice(4)])() }", { rows: [8] }],
];

const refused: readonly (readonly [code: string, message: string])[] = [
  ["JSON.stringify([1].map((n) => desk.twice(n)))", "Cannot turn a value into JSON"],
  ["JSON.stringify({ n: desk.twice(1) })", "Cannot turn a value into JSON"],
  ["console.log(desk.twice(1))", "Cannot print a value"],
  ["console.log([1].map((n) => desk.twice(n)))", "Cannot print a value"],
  ["console.log('%o', { n: desk.twice(1) })", "Cannot print a value"],
  ["console.table([{ n: desk.twice(1) }])", "Cannot print a value"],
  ["const text = `n is $" + "{desk.twice(1)}`", "Cannot use a value as a string"],
  ["const sum = desk.twice(1) + 1", "Cannot use a value as a string"],
  ["await desk.twice({ n: desk.twice(1) })", "Cannot turn a value into JSON"],
];

forEach(await usable(typescript), (executor) => {
  it.each(returned)("awaits promises in a returned value: %s", async (code, value) => {
    expect(toValue(await run(executor, `export default async () => { ${code} }`))).toEqual(value);
  });

  it.each(refused)("fails with the line instead of showing a promise: %s", async (code, message) => {
    const outcome = await run(executor, `export default async () => {\n\n${code};\n}`);

    expect(outcome).toMatchObject({
      status: "failed",
      failure: { name: "TypeError", line: 3, message: expect.stringContaining(message) },
    });
    expect(outcome.logs).toEqual([]);
  });

  it.each([
    ["throw { id: 7, p: desk.twice(1) }", '{"id":7,"p":[Promise: '],
    ["throw desk.twice(1)", "[Promise: "],
    ["const e = new Error(); e.message = desk.twice(1); throw e", "[Promise: "],
  ])("reports a promise in a thrown value: %s", async (code, message) => {
    expect(await run(executor, `export default async () => { ${code} }`)).toMatchObject({
      status: "failed",
      failure: { message: expect.stringContaining(message) },
    });
  });

  it("fails with the call's own error if a call in a returned value fails", async () => {
    expect(await run(executor, "export default async () => ({ n: desk.fail(1) })")).toMatchObject({
      status: "failed",
      failure: { name: "ToolError", message: "quota exceeded" },
    });
  });
});

forEach(await usable(python), (executor) => {
  const twice = "async def twice(n):\n    return await desk.twice(n)\n";

  it.each([
    ["[twice(1), twice(2)]", [2, 4]],
    ["{'n': twice(1), 'deep': {'m': [twice(3)]}}", { n: 2, deep: { m: [6] } }],
    ["(desk.twice(1), [desk.twice(2)])", [2, [4]]],
  ])("awaits promises in a returned value: %s", async (code, value) => {
    expect(toValue(await run(executor, `${twice}${code}`))).toEqual(value);
  });

  it.each([
    "text = str(twice(1))",
    "text = repr([twice(1)])",
    "text = f'{twice(1)}'",
    "text = f'{twice(1)!r:>{10}}'",
    "text = '%s' % twice(1)",
    "text = '%s %s' % (1, twice(1))",
    "text = '{}'.format(twice(1))",
    "text = '{n}'.format(n=twice(1))",
    "is_it = bool(twice(1))",
    "is_it = not twice(1)",
    "is_it = 1 if twice(1) else 2",
    "is_it = twice(1) == 2",
    "is_it = twice(1) and 1",
    "rows = [n for n in (1, 2) if twice(n)]",
    "assert twice(1)",
    "job = twice(1); is_it = 1 if job else 2",
    "job = twice(1); text = f'{job}'",
    "jobs = [twice(1)]; text = str(jobs)",
  ])("fails with the line instead of testing or showing a coroutine: %s", async (code) => {
    expect(await run(executor, `${twice}${code}`)).toMatchObject({
      status: "failed",
      failure: { name: "TypeError", line: 3, message: expect.stringContaining("it is a coroutine") },
    });
  });

  it("accepts coroutines that are awaited later", async () => {
    const code = [
      "import asyncio",
      "jobs = [twice(n) for n in (1, 2)]",
      "one = twice(3)",
      "later = 1 and twice(4)",
      "def make(): return [twice(9)]",
      "made = make()",
      "task = asyncio.create_task(twice(6))",
      "if jobs and one is not None and made and task:",
      "    pass",
      "return [*(await asyncio.gather(*jobs)), await one, await later, await task, await made[0], f'{await twice(5)}']",
    ].join("\n");
    expect(toValue(await run(executor, `${twice}${code}`))).toEqual([2, 4, 6, 8, 12, 18, "10"]);
  });

  it.each(["print(twice(1))", "print([twice(n) for n in (1, 2)])", "print({'n': twice(1)})"])(
    "fails with the line instead of showing a coroutine: %s",
    async (code) => {
      const outcome = await run(executor, `${twice}${code}`);

      expect(outcome).toMatchObject({
        status: "failed",
        failure: {
          name: "TypeError",
          line: 3,
          message: expect.stringContaining("Cannot print a value: it is a coroutine"),
        },
      });
      expect(outcome.logs).toEqual([]);
    },
  );
});
