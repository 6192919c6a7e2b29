// A library function that is called with invalid values fails with a code and does nothing.
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  addEntry,
  type OpenedCoordinator as Coordinator,
  connect,
  eject,
  init,
  listClients,
  openCoordinator,
  removeEntry,
  trust,
} from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const open = async (): Promise<Coordinator> => {
  const folder = await temporaryFolder();
  const settings = {
    stateFolder: join(folder, "state"),
    cacheFolder: join(folder, "cache"),
    libraryFolder: join(folder, "library"),
  };
  const coordinator = await openCoordinator({ config: {}, settings });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

/** These accept no request, or inspect the whole machine. */
const others = ["close", "warm", "stayCurrent", "onToolsChanged", "toCommand", "diagnose", "setUpSandbox"];

const fields =
  "code name runId tool server workspace path days uri query session planId id cassette token value";
const numbers = Object.fromEntries(fields.split(" ").map((name) => [name, 1.5]));

describe.each([
  ["undefined", undefined],
  ["null", null],
  ["a number", 42],
  ["a text", "x"],
  ["a list", []],
  ["an empty object", {}],
  ["an object with numbers for texts", numbers],
])("called with %s", (_what, given) => {
  test("every function answers, or refuses with a code that is not INTERNAL", async () => {
    const coordinator = await open();
    const verbs = Object.entries(coordinator).filter(
      ([name, value]) => typeof value === "function" && !others.includes(name),
    ) as [string, (request: unknown) => Promise<unknown>][];
    expect(verbs.length).toBeGreaterThan(50);
    const wrong: string[] = [];
    for (const [name, verb] of verbs) {
      const thrown = await Promise.resolve(verb(given)).then(
        () => undefined,
        (error: unknown) => error,
      );
      const { code } = (thrown ?? {}) as { readonly code?: string };
      const isCoded = thrown instanceof Error && thrown.name === "CoordinatorError" && code !== "INTERNAL";
      if (thrown !== undefined && !isCoded) wrong.push(`${name}: ${String(thrown)}`);
    }
    expect(wrong).toEqual([]);
  });
});

test.each([[undefined], [null], [{}], [{ days: undefined }], [{ days: "x" }], [{ days: -1 }]])(
  "removeInactiveWorkspaces(%j) removes nothing",
  async (given) => {
    const coordinator = await open();
    await coordinator.runCode({ code: 'await fs.writeFile("a.txt", "a")', workspace: "mine" });
    await expect(coordinator.removeInactiveWorkspaces(given as never)).rejects.toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
    });
    expect((await coordinator.listWorkspaces()).map(({ name }) => name)).toContain("mine");
  },
);

test.each([null, 42, "x"])(
  "every function that opens a coordinator or works on files refuses %j with a code",
  async (given) => {
    for (const verb of [openCoordinator, init, eject, connect, trust, listClients, addEntry, removeEntry])
      await expect(verb(given as never)).rejects.toMatchObject({ code: "USAGE" });
    await expect(addEntry({ name: "a", entry: given as never })).rejects.toMatchObject({ code: "USAGE" });
    await expect(connect(undefined as never)).rejects.toMatchObject({ code: "USAGE" });
  },
);
