// Which calls of a plan depend on made-up answers: those that another made-up answer changes, and all that come after.
import { describe, expect, it } from "vitest";
import type { GuestAnswer, HostFunctions, Json, Tool } from "../../../../src/contracts/index.js";
import { openPlan } from "../../../../src/coordinator/running/open-plan.js";
import { type Variation, varyAnswer } from "../../../../src/coordinator/running/vary-answer.js";

const toTool = (name: string): Tool => ({ server: "shop", name }) as Tool;
const toAnswer = (value: Json): GuestAnswer => ({
  status: "answered",
  format: "json",
  body: JSON.stringify(value),
});

type Ask = (tool: string, value: Json) => Promise<Json>;

/** A program over a host: `note` and `label` are only written down, `find` is a read that is made. */
const planOf = async (program: (ask: Ask) => Promise<void>) => {
  const plan = openPlan("p1", [String(program)]);
  const run = async (call: HostFunctions["call"]): Promise<void> => {
    const ask: Ask = async (tool, value) => {
      const given = { server: "shop", tool, argumentsJson: JSON.stringify([value]), isRaw: false };
      const answer = await call(given, new AbortController().signal);
      if (answer.status === "failed") throw new Error(answer.message);
      return JSON.parse(answer.body) as Json;
    };
    await program(ask).catch(() => {});
  };
  await run(
    plan.watch(async ({ tool, argumentsJson }) => {
      const [value] = JSON.parse(argumentsJson) as [Json];
      if (tool === "find") return toAnswer({ id: 4001, of: value });
      const simulate = () => ({ content: [], structuredContent: { id: 9, name: "other" } });
      plan.noteMadeUp({ tool: toTool(tool), arguments: { value }, isCaptured: true, simulate });
      return toAnswer({ id: 73, name: "made up" });
    }),
  );
  const { signal } = new AbortController();
  await plan.prove(({ call }) => run(call), { lastTimes: undefined, signal });
  return plan.read().calls;
};

it("every tool that does not say it only reads is captured", () => {
  const { captures } = openPlan("p1");
  expect([true, false].map((isReadOnly) => captures({ ...toTool("x"), isReadOnly }))).toEqual([false, true]);
});

describe("a planned call", () => {
  it.each<readonly [string, (ask: Ask) => Promise<void>, readonly boolean[]]>([
    ["is given a made-up id", async (ask) => void (await ask("label", await ask("note", 1))), [false, true]],
    [
      "is given what was made of one",
      async (ask) => {
        const { id } = (await ask("note", 1)) as { id: number };
        await ask("label", `N-${id + 1}`);
      },
      [false, true],
    ],
    [
      "is given what a read says of one",
      async (ask) => {
        const note = await ask("note", 1);
        await ask("label", ((await ask("find", note)) as { id: number }).id);
      },
      [false, true],
    ],
    [
      "comes after others and is given nothing of them",
      async (ask) => {
        await ask("note", 1);
        await ask("note", 2);
        await ask("label", ((await ask("find", 1)) as { id: number }).id);
      },
      [false, false, false],
    ],
    [
      "is issued together with another",
      async (ask) => void (await Promise.all([ask("note", 1), ask("label", 2)])),
      [false, false],
    ],
    [
      "is made only for some answers",
      async (ask) => {
        const { id } = (await ask("note", 1)) as { id: number };
        if (id > 0) await ask("label", 5);
      },
      [false, true],
    ],
    [
      "is made unless an answer is one of the program's own words",
      async (ask) => {
        const { name } = (await ask("note", 1)) as { name: string };
        if (name !== "rejected") await ask("label", 5);
      },
      [false, true],
    ],
    [
      "is made below one of the program's own numbers",
      async (ask) => {
        const { id } = (await ask("note", 1)) as { id: number };
        if (id < 123_456) await ask("label", 5);
      },
      [false, true],
    ],
    [
      "is made unless an answer is what a read said",
      async (ask) => {
        const { of } = (await ask("find", "secret word")) as { of: string };
        const { name } = (await ask("note", 1)) as { name: string };
        if (name !== of) await ask("label", 5);
      },
      [false, true],
    ],
  ])("that %s", async (_what, program, dependent) => {
    const calls = await planOf(program);
    expect(calls.map(({ usesSimulated }) => usesSimulated === true)).toEqual(dependent);
    for (const call of calls.filter(({ usesSimulated }) => usesSimulated))
      expect(call.dependsOn).toEqual(['call 1, "shop.note"']);
  });
});

it.each([1, 2, 3] as const)("variation %i changes every value of an answer", (by: Variation) => {
  const value = {
    id: 73,
    zero: 0,
    minus: -10,
    name: "Ann 5",
    when: "2026-01-02",
    list: [100, { deep: "x" }],
  };
  const listLeaves = (one: Json): readonly Json[] =>
    typeof one === "object" && one !== null ? Object.values(one).flatMap(listLeaves) : [one];
  const varied = varyAnswer(toAnswer(value), by);
  const leaves = listLeaves(JSON.parse((varied as { body: string }).body) as Json);
  for (const leaf of listLeaves(value)) expect(leaves).not.toContain(leaf);
});
