// A short command of this machine: whatever prevents it is a result.
import { describe, expect, it } from "vitest";
import { runCommand } from "../../../src/executors/host/run-command.js";

const options = { environment: {}, timeoutMs: 10_000 };

describe("runCommand()", () => {
  it("returns the output of a command that ends well", async () => {
    expect(await runCommand(process.execPath, ["-p", "1 + 1"], options)).toEqual({
      isDone: true,
      output: "2\n",
      complaint: "",
    });
  });

  it.each([
    ["is not installed", "no-such-command", [], "not installed"],
    ["fails", process.execPath, ["-e", "process.exit(3)"], "it ended with 3"],
    ["cannot be started at all", "a\0b", [], "must be a string without null bytes"],
  ])("returns why a command %s", async (_what, command, args, why) => {
    expect(await runCommand(command, args, options)).toMatchObject({
      isDone: false,
      complaint: expect.stringContaining(why),
    });
  });
});
