// Log messages of servers: progress of the call that waits, bounded and made visible.
import { describe, expect, it } from "vitest";
import { askers, openAsker } from "./open-asker.js";

const names = Object.keys(askers) as (keyof typeof askers)[];

const readLines = async (code: string, settings: Parameters<typeof openAsker>[0] = {}) => {
  const { coordinator } = await openAsker(settings);
  const lines: string[] = [];
  const run = await coordinator.runCode({
    code,
    onProgress: ({ server, tool, message }) => lines.push(`${server}.${tool} ${message}`),
  });
  expect(run.status).toBe("completed");
  return lines.filter((line) => line.includes("["));
};

describe.each(names)("log messages of the %s server", (server) => {
  it("are progress of the call, from warnings on", async () => {
    expect(await readLines(`return await ${server}.log({})`)).toEqual([
      `${server}.log [warning] oven: too \\u001b hot (warning)`,
      `${server}.log [error] oven: too \\u001b hot (error)`,
    ]);
  });

  it("follow the setting answers.logs", async () => {
    const code = `return await ${server}.log({})`;
    expect(await readLines(code, { answers: { logs: "debug" } })).toHaveLength(3);
    expect(await readLines(code, { answers: { logs: "off" } })).toEqual([]);
  });
});

describe("a flood of log messages", () => {
  it("is cut after 200 lines of a call", async () => {
    expect(await readLines("return await old.chat({})")).toHaveLength(200);
  });
});
