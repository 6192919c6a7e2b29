// A run holds a bounded size of stored values in memory at once, however many calls it makes.
import { expect, test } from "vitest";
import { openValueFunctions } from "../../../src/bridge/stored-values.js";
import { defaultLimits, type StoredValues } from "../../../src/contracts/index.js";
import { openStoredValues } from "../../../src/store/files/stored-values.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const limits = { ...defaultLimits, bytesInFlight: 3000 };
const content = JSON.stringify("x".repeat(1000));

/** A real store that counts how many of its contents are in use. */
const open = async () => {
  const stored = openStoredValues({ folder: await temporaryFolder(), limits, maxDays: 1 });
  const { id } = await stored.store({ format: "json", content });
  let inUse = 0;
  let max = 0;
  const counted =
    <Values extends unknown[], Result>(work: (...values: Values) => Promise<Result>) =>
    async (...values: Values): Promise<Result> => {
      max = Math.max(max, ++inUse);
      try {
        return await work(...values);
      } finally {
        inUse--;
      }
    };
  const store: StoredValues = {
    ...stored,
    read: counted(stored.read),
    peek: counted(stored.peek),
    page: counted(stored.page),
    query: counted(stored.query),
  };
  return { id, service: openValueFunctions({ open: async () => store, limits }), max: () => max };
};

test.each(["load", "peek", "page", "query"])(
  "many concurrent calls of %s stay within the byte limit of the run",
  async (name) => {
    const { id, service, max } = await open();
    const asked = Array.from({ length: 20 }, () => service.answer(name, JSON.stringify([id])));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill("answered"));
    expect(max()).toBe(3);
  },
);

test("handles in arguments count against the byte limit until the call ends", async () => {
  const { id, service } = await open();
  const expand = () => service.expand([{ "the-mark": id }], "the-mark", "shop.order");
  const first = await Promise.all([expand(), expand(), expand()]);
  expect(first[0]?.values).toEqual(["x".repeat(1000)]);
  let isExpanded = false;
  const fourth = expand().then(() => {
    isExpanded = true;
  });
  // Needs no space. If the fourth had been admitted, it would be done by now.
  await service.answer("stored", JSON.stringify([id]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isExpanded).toBe(false);
  first[0]?.release();
  await fourth;
});

test("a handle used in several places counts once for each", async () => {
  const { service } = await open();
  const answer = await service.answer("keep", JSON.stringify([[1, 2, 3]]));
  const { id } = JSON.parse(answer.status === "answered" ? answer.body : "{}") as { id: string };
  const handles = Array.from({ length: 30_000 }, () => ({ "the-mark": id }));
  await expect(service.expand(handles, "the-mark", "shop.order")).rejects.toMatchObject({
    code: "ARGUMENTS_INVALID",
    message: expect.stringContaining("argumentValues"),
  });
});
