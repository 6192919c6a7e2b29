// Integers beyond 2^53 keep their digits everywhere: to tools and back, over every transport, in both languages, stored and shown.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCoordinator, type RunResult } from "../../src/index.js";
import { fixturePath, type RunningFixture, startFixture } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const digits = "1234567890123456789";
let fixture: OpenFixture;
let running: readonly RunningFixture[] = [];

beforeAll(async () => {
  running = await Promise.all([
    startFixture("digits", ["--http"]),
    startFixture("digits", ["--http", "--events"]),
  ]);
  const [plain, events] = running.map(({ port }) => ({ url: `http://127.0.0.1:${port}/mcp` }));
  fixture = await openFixture({
    stdio: { command: process.execPath, args: [fixturePath("digits")] },
    plain: plain ?? {},
    events: events ?? {},
  });
});
afterAll(async () => {
  await fixture.close();
  await Promise.all(running.map(({ stop }) => stop()));
});

/** The value as JSON text: a number in JavaScript could not show the digits. */
const textOf = ({ status, value, error }: RunResult): string =>
  status === "completed" ? JSON.stringify(value) : JSON.stringify({ status, error });

const wires = ["stdio", "plain", "events"] as const;

describe.each(wires)("over %s", (wire) => {
  it("a BigInt argument arrives with all its digits, at any depth", async () => {
    const result = await fixture.run(
      `const answer = await ${wire}.repeat({ id: ${digits}n, deep: { list: [-9007199254740993n, 2] } }); return answer.came`,
    );

    expect(textOf(result)).toBe(`{"id":"${digits}","deep":{"list":["-9007199254740993","2"]}}`);
  });

  it("large integers in an answer are BigInts for a program, and are passed on and returned unchanged", async () => {
    const result = await fixture.run(
      `const { large } = await ${wire}.repeat({ id: 1 });
       const back = await ${wire}.repeat({ id: large.id, deep: large });
       return [typeof large.id, typeof large.small, \`\${large.id}\`, back.came, large, JSON.stringify(large.list)]`,
    );

    expect(textOf(result)).toBe(
      `["bigint","number","${digits}",{"id":"${digits}","deep":{"id":"${digits}","list":["-9007199254740993","1"],"text":"${digits}","small":"7"}},` +
        `{"id":${digits},"list":[-9007199254740993,1],"text":"${digits}","small":7},"[-9007199254740993,1]"]`,
    );
  });

  it("a text that is JSON keeps its digits", async () => {
    const result = await fixture.run(`return (await ${wire}.as_text()).id`);

    expect(textOf(result)).toBe(digits);
  });

  it("an infinite number is refused instead of becoming null", async () => {
    const result = await fixture.run(`return await ${wire}.tooLarge()`);

    expect(result.status).toBe("failed");
    expect(result.error?.message).toContain("a number that is too large");
  });

  it("in Python, large integers are ints", async () => {
    const result = await fixture.run(
      `large = ${wire}.repeat(id=${digits})\nback = ${wire}.repeat(id=large["large"]["id"] + 1)\n[large["came"]["id"], back["came"]["id"], ${wire}.as_text()["id"], large["large"]["list"]]`,
      { language: "python" },
    );

    expect(textOf(result)).toBe(`["${digits}","1234567890123456790",${digits},[-9007199254740993,1]]`);
  });
});

it("stored rows are queried by large integers, exactly", async () => {
  const result = await fixture.run(
    `const rows = await keep([{ id: ${digits}n }, { id: 1234567890123456788n }, { id: 3 }]);
     return [await rows.query({ where: { id: { gt: 1234567890123456788n } } }), await rows.query({ where: { id: ${digits}n } }), await rows.query({ where: { id: { lt: 4 } } })]`,
  );

  expect(textOf(result)).toBe(`[[{"id":${digits}}],[{"id":${digits}}],[{"id":3}]]`);
});

describe("a number that JSON cannot hold exactly", () => {
  it.each([digits, "Number.NaN", "1 / 0"])("is refused as an argument, with the line: %s", async (number) => {
    const result = await fixture.run(`const a = 1;\nreturn await stdio.repeat({ id: 1, deep: [${number}] })`);

    expect(result).toMatchObject({ status: "failed", error: { line: 2 } });
    expect(result.error?.message).toContain("Cannot pass");
    expect(result.calls).toEqual([]);
  });

  it.each([
    ['float("nan")', "nan"],
    ['[float("inf")]', "inf"],
    ['Decimal("NaN")', "nan"],
    ["{1e17}", "1e+17"],
    ["deque([1e17])", "1e+17"],
    ["(n for n in [1e17])", "1e+17"],
    ["Point(1e17)", "1e+17"],
    ["{(1, 2): Point(1e17)}", "1e+17"],
    ['SimpleNamespace(x=float("nan"))', "nan"],
    ["Ratio(1e17)", "1e+17"],
  ])("is refused as an argument in Python, in any position: %s", async (value, number) => {
    const begin = [
      "from collections import deque\nfrom dataclasses import dataclass\nfrom decimal import Decimal",
      "from types import SimpleNamespace\n@dataclass\nclass Point:\n    x: float\nclass Ratio(float):\n    pass",
    ];
    const result = await fixture.run(`${begin.join("\n")}\nstdio.repeat(id=1, deep=${value})`, {
      language: "python",
    });

    expect(result.status).toBe("failed");
    expect(result.error?.message).toContain(`cannot pass ${number}`);
    expect(result.calls).toEqual([]);
  });

  it("is looked for without consuming an iterator in Python, even next to a key that is not text", async () => {
    const result = await fixture.run('stdio.repeat(id=1, deep=[iter("ab"), {(1, 2): 3}])["came"]["deep"]', {
      language: "python",
    });

    expect(textOf(result)).toBe('[["a","b"],{"1,2":"3"}]');
  });

  it.each([
    'memory.save("n", 2 ** 60)',
    "saveState({ n: Number.NaN })",
    "keep([1 / 0])",
    'workspace.writeJson("n.json", 2 ** 60)',
  ])("is refused where it would come back as another number: %s", async (statement) => {
    const result = await fixture.run(`await ${statement}`);

    expect(result.status).toBe("failed");
    expect(result.error?.message).toContain("Cannot pass");
  });

  it("is refused in a call without a program; a BigInt arrives with all its digits", async () => {
    const call = (id: unknown) =>
      fixture.coordinator.callTool({ server: "stdio", tool: "repeat", arguments: { id } as never });

    await expect(call(Number(digits))).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
    expect(JSON.stringify(await call(BigInt(digits)))).toContain(`"came":{"id":"${digits}"}`);
  });

  it.each(["arrays", "a cycle"])("is looked for without running out of stack in %s", async (kind) => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const call = { server: "stdio", tool: "repeat", arguments: { id: kind === "arrays" ? deep : cycle } };
    await expect(fixture.coordinator.callTool(call as never)).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringContaining("nested deeper than 200 levels"),
    });
  });

  it("does not occur in a plan: it is committed with all its digits", async () => {
    const { plan } = await fixture.run(`await stdio.write({ id: ${digits}n })`, { mode: "plan" });

    expect(JSON.stringify(plan?.calls[0]?.arguments)).toBe(`{"id":${digits}}`);
    const result = await fixture.coordinator.commitPlan({ planId: plan?.planId ?? "" });
    expect(textOf(result)).toContain(`"came":{"id":"${digits}"}`);
  });
});

describe("stored data", () => {
  it("in handles, stored values, memory and workspace files keeps its digits", async () => {
    const result = await fixture.run(
      `const handle = await stdio.as_text.keep();
       const passed = await stdio.repeat({ id: 1, deep: handle });
       const own = await keep({ rows: [{ id: ${digits}n }] });
       await memory.save("id", { id: ${digits}n });
       await workspace.writeJson("ids.json", [${digits}n]);
       return [passed.came.deep.id, (await handle.load()).id, (await query(own, "rows[*]"))[0].id, (await memory.load("id")).id, await workspace.readJson("ids.json")]`,
    );

    expect(textOf(result)).toBe(`["${digits}",${digits},${digits},${digits},[${digits}]]`);
  });

  it("is answered from the journal of a resumed run with the same digits, without another call", async () => {
    const code = (end: string) =>
      `const { large } = await stdio.repeat({ id: ${digits}n });\nconst { came } = await stdio.repeat({ id: large.id });\n${end}`;
    const failed = await fixture.run(code('throw new Error("later")'));
    const resumed = await fixture.coordinator.resumeRun({
      runId: failed.runId,
      code: code("return [came.id, large.id]"),
    });

    expect(textOf(resumed)).toBe(`["${digits}",${digits}]`);
    expect(resumed.calls.map(({ isReplayed }) => isReplayed)).toEqual([true, true]);
  });
});

describe("functions of the host", () => {
  it("receive and return BigInts if their schema allows it, and never get a rounded number", async () => {
    const seen: unknown[] = [];
    const coordinator = await openCoordinator({
      config: { mcpServers: {} },
      tools: {
        desk: {
          any: {
            input: { type: "object", properties: { id: {} } },
            run: ({ id }: { id: unknown }) => {
              seen.push(id);
              return { id: BigInt(digits) };
            },
          },
          number: {
            input: { type: "object", properties: { id: { type: "integer" } } },
            run: ({ id }: { id: unknown }) => seen.push(id),
          },
        },
      },
      settings: { cacheFolder: `${fixture.folder}/cache-2`, stateFolder: `${fixture.folder}/state-2` },
    });
    const answered = await coordinator.runCode({
      code: `return (await desk.any({ id: ${digits}n })).id`,
    });
    const refused = await coordinator.runCode({
      code: `return await desk.number({ id: ${digits}n })`,
    });
    await coordinator.close();

    expect(textOf(answered)).toBe(digits);
    expect(refused.status).toBe("failed");
    expect(refused.error?.message).toContain("must be integer");
    expect(seen).toEqual([BigInt(digits)]);
  });
});
