// A container's name identifies its host, so that the cleanup removes only orphans.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  createContainerNames,
  isOrphan,
} from "../../../../src/executors/engines/container/container-names.js";

/** The pid of a process that has ended. */
const pastProcess = (): number => spawnSync(process.execPath, ["--version"]).pid;

describe("createContainerNames()", () => {
  it("gives each container a unique name and each executor a unique prefix", () => {
    const [one, other] = [createContainerNames(), createContainerNames()];
    const names = [one.next(), one.next(), other.next()];

    expect(new Set(names).size).toBe(3);
    expect(names.map((name) => name.startsWith(one.prefix))).toEqual([true, true, false]);
  });
});

describe("isOrphan()", () => {
  const name = createContainerNames().next();
  const replacePart = (at: number, part: string): string =>
    name
      .split("-")
      .map((old, index) => (index === at ? part : old))
      .join("-");
  const [machineAt, processAt, startAt] = [2, 3, 4];

  it("is false for a container of this process", () => {
    expect(isOrphan(name)).toBe(false);
  });

  it("is true when the process that started it has ended", () => {
    expect(isOrphan(replacePart(processAt, String(pastProcess())))).toBe(true);
  });

  it.runIf(process.platform === "linux")(
    "is true for another process with the same pid (needs Linux)",
    () => {
      expect(isOrphan(replacePart(startAt, "1"))).toBe(true);
    },
  );

  it("is false for a container of another machine, whatever runs there", () => {
    const elsewhere = replacePart(machineAt, "00000000").split("-");
    elsewhere[processAt] = String(pastProcess());

    expect(isOrphan(elsewhere.join("-"))).toBe(false);
  });

  it.each(["postgres", "mcp-coordinator", `${name}-extra`, ""])("is false for %j", (foreign) => {
    expect(isOrphan(foreign)).toBe(false);
  });
});
