// A program that was checked once is not checked again by another process: no compiler is started for it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const listDescendants = (pid: number | string): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" "))
      .filter((child) => child !== "")
      .flatMap((child) => [child, ...listDescendants(child)]);
  } catch {
    return [];
  }
};

/** The compilers that this process, or its checker process, has started and not ended. */
const listCompilers = (): readonly string[] =>
  listDescendants(process.pid).filter((child) => {
    try {
      return /node_modules\/[^\0]*typescript/.test(readFileSync(`/proc/${child}/cmdline`, "utf8"));
    } catch {
      return false;
    }
  });

test.skipIf(process.platform !== "linux")(
  "a later process starts no compiler for a known program (needs Linux)",
  async () => {
    const folder = await temporaryFolder();
    const run = async (code: string, journal: "on" | "off" = "on") => {
      const coordinator = await openCoordinator({
        config: { mcpServers: { echo: { command: process.execPath, args: [fixturePath("echo")] } } },
        settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state"), journal },
      });
      try {
        const result = await coordinator.runCode({ code });
        return { status: result.status, value: result.value, compilers: listCompilers().length };
      } finally {
        await coordinator.close();
      }
    };
    const right = "const sum: number = 1 + 1;\nreturn sum;";
    const wrong = "return echo.nosuch({});";
    expect(await run(right)).toEqual({ status: "completed", value: 2, compilers: 1 });
    expect(await run(right)).toEqual({ status: "completed", value: 2, compilers: 0 });
    // Nothing is stored about a program whose runs are not stored.
    const unkept = "const sum: number = 1 + 2;\nreturn sum;";
    expect(await run(unkept, "off")).toEqual({ status: "completed", value: 3, compilers: 1 });
    expect(await run(unkept, "off")).toEqual({ status: "completed", value: 3, compilers: 1 });
    // A mistake is found again.
    expect(await run(wrong)).toMatchObject({ status: "failed", compilers: 1 });
    expect(await run(wrong)).toMatchObject({ status: "failed", compilers: 1 });
  },
);
