// The contract's programs in TypeScript: every sandbox of that language runs the same ones.
import type { ContractPrograms } from "./executor-contract.js";

const program = (body: string): string => `export default async function program() {\n${body}\n}`;

export const typescriptPrograms: ContractPrograms = {
  returnsOne: program("return 1"),
  followsProgress: program(
    "const seen = []; const answered = await server.echo.with({ onProgress: (step) => seen.push(step) })({ a: 1 }); return [answered, seen.length, seen.at(-1)]",
  ),
  returnsNothing: program(""),
  printsAndReturns: program('console.log("first"); console.log("second"); return "done"'),
  echoes: program('return await server.echo({ text: "a \\"quoted\\" ünïcode \\u2028 text", list: [1, 2] })'),
  catchesFailure: program(
    'try { await server.fail({}); return "went on"; } catch (error) { return `caught: ${error.message}`; }',
  ),
  failsUncaught: program("await server.fail({})"),
  throwsOnLineThree: program('console.log("before");\nthrow new Error("boom")'),
  failsInNestedCalls: program(
    'function inner() { throw new Error("boom"); }\nfunction outer() { inner(); return 1; }\nouter(); return 2',
  ),
  spins: program("while (true) {}"),
  waitsForEver: program("await new Promise(() => {})"),
  sleepsThenReturns: program('await sleep(50); return "rested"'),
  callsSlowlyInParallel: program(
    "return (await Promise.all(Array.from({ length: 20 }, (_, i) => server.slow({ i })))).length",
  ),
  growsWithoutEnd: program("const list = []; while (true) list.push(new Array(10000).fill(list.length))"),
  returnsTooMuch: program('return "x".repeat(20000)'),
  printsWithoutEnd: program('while (true) console.log("x".repeat(100))'),
  callsWithoutEnd: program("for (;;) await server.echo({})"),
  setsGlobal: program("globalThis.leak = 1; Object.prototype.leak = 1; Array.prototype.leak = 1"),
  readsGlobal: program(
    'return [typeof globalThis.leak, typeof {}.leak, typeof [].leak].every((type) => type === "undefined") ? "undefined" : "leaked"',
  ),
  readsBigAnswer: program("return (await server.big({})).length"),
  startsWithoutAwaiting: program('server.slow({}).then(() => console.log("late"))'),
  callsRaw: program("return await server.echo.raw({ a: 1 })"),
  looksAround: program('return await listTools("github")'),
  looksAroundWithoutEnd: program("for (;;) await listTools()"),
  looksAndCallsTwentyTimes: program(
    "let done = 0; for (; done < 20; done++) { await listTools(); await server.echo({}); } return done",
  ),
  hasItsOwnListTools: program('const listTools = () => "mine"; return listTools()'),
  keepsItsOwnListTools: program('globalThis.listTools = () => "mine"'),
  asksWithWhatIsNoJson: program(
    "const cycle = {}; cycle.self = cycle; try { await listTools(cycle); } catch (error) { return error.name; }",
  ),
  keepsAnswer: program("const kept = await server.echo.keep({ a: 1 }); return [kept.id, kept.count, kept]"),
  passesHandle: program("const one = await keep([1, 2]); return await server.echo({ list: [one], a: 1 })"),
  looksAtStored: program(
    'const one = await keep([1, 2]); await one.peek(); await page(one, { offset: 1 }); await query("k_x", "items[*]"); await one.query({ count: true }); await artifact("a.bin", new Uint8Array([1, 2, 3]), "image/png")',
  ),
  keepsItsOwnPage: program("const page = 7; return page"),
  fetches: program(
    'const response = await fetch("https://api.example/", { method: "POST", headers: { "X-Token": "t" }, body: "text" }); return [response.status, response.ok, response.headers.get("X-Kind"), await response.text(), (await response.json()).made]',
  ),
  usesWorkspace: `import fs from "fs/promises";\n${program(`
    const text = "ü€😀x".repeat(220_000);
    await fs.writeFile("./workspace/notes/large.txt", text);
    const bytes = new Uint8Array(1_100_000);
    for (let at = 0; at < bytes.length; at++) bytes[at] = at;
    await fs.writeFile("data.bin", bytes);
    const back = await fs.readFile("workspace/data.bin");
    let isSame = back.length === bytes.length;
    for (let at = 0; isSame && at < bytes.length; at++) isSame = back[at] === bytes[at];
    const count = await memory.update("count", (value) => (value ?? 0) + 1);
    await saveState({ step: 7 });
    return [
      (await fs.readFile("notes/large.txt", "utf8")) === text,
      isSame,
      count,
      (await getState()).value.step,
    ];`)}`,
  meetsFileErrors: `import fs from "fs/promises";\n${program(`
    const codes = [];
    const meet = async (work) => { try { await work(); codes.push("none"); } catch (error) { codes.push(error.code); } };
    await meet(() => fs.readFile("none.txt", "utf8"));
    await meet(() => workspace.readText("../up.txt"));
    await fs.writeFile("there.txt", "1");
    await meet(() => fs.writeFile("there.txt", "2", { flag: "wx" }));
    await meet(() => fs.writeFile("large.txt", "x".repeat(3_000_000)));
    return codes;`)}`,
  writesAndCallsTwentyTimes: program(
    "let done = 0; for (; done < 20; done++) { await workspace.writeText('a.txt', 'a'); await server.echo({}); } return done",
  ),
  asksClockAndChance: program(
    "const ask = () => [Date.now(), new Date().toISOString(), Date(), performance.now(), Math.random(), Math.random(), crypto.randomUUID()].map(String); const first = ask(); await sleep(20); await server.echo({}); const second = ask(); await server.echo({}); return [...first, ...second, ...ask()]",
  ),
  looksForFetch: program('return typeof fetch === "undefined" ? "missing" : "there"'),
};
