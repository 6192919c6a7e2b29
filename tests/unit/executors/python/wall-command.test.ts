// How the zygote is started inside each wall.
import { expect, test } from "vitest";
import type { Interpreter } from "../../../../src/executors/engines/python/interpreter.js";
import { toWallCommand } from "../../../../src/executors/engines/python/wall-command.js";

const interpreter: Interpreter = {
  version: [3, 11, 0],
  implementation: "cpython",
  executable: "/opt/python/bin/python3",
  executables: ["/opt/python/bin/python3"],
  prefixes: [],
  modules: [],
  folders: [],
  libraries: [],
};
const options = { interpreter, preload: ["numpy"], temporaryBytes: 1000, channelFolder: "/run/private" };
const planOf = (args: readonly string[]): Record<string, unknown> => JSON.parse(args.at(-1) ?? "");

test("toWallCommand() passes the zygote its plan, with the socket path as it will see it", () => {
  const inside = toWallCommand({ ...options, kind: "bubblewrap" });
  const outside = toWallCommand({ ...options, kind: "self" });

  expect(planOf(inside.args)).toMatchObject({
    kind: "bubblewrap",
    socket: "/channel/zygote",
    preload: ["numpy"],
  });
  expect(planOf(inside.args).hidden).toEqual(["/guest", "/channel"]);
  expect(planOf(outside.args)).toMatchObject({ kind: "self", socket: "/run/private/zygote", hidden: [] });
});

test("toWallCommand() has no socket when the wall is only tried", () => {
  const { interpreter: python, preload, temporaryBytes } = options;
  const { args } = toWallCommand({ kind: "self", interpreter: python, preload, temporaryBytes });

  expect(planOf(args).socket).toBeNull();
});

test("toWallCommand() runs Python isolated from environment, user and folder", () => {
  const { command, args, environment } = toWallCommand({ ...options, kind: "self" });

  expect([command, ...args.slice(0, 2)]).toEqual(["/opt/python/bin/python3", "-I", "-B"]);
  expect(Object.keys(environment).filter((name) => !name.endsWith("_NUM_THREADS"))).toEqual([]);
});

test("toWallCommand() shares no namespace with the machine inside bubblewrap, and ends with its host", () => {
  const { args } = toWallCommand({ ...options, kind: "bubblewrap" });

  expect(args).toEqual(
    expect.arrayContaining([
      "--unshare-pid",
      "--unshare-net",
      "--unshare-ipc",
      "--die-with-parent",
      "--clearenv",
      "--remount-ro",
    ]),
  );
  expect(args).not.toContain("--share-net");
});

test("toWallCommand() denies everything by default inside Seatbelt, and runs nothing but Python", () => {
  const { args } = toWallCommand({ ...options, kind: "seatbelt" });

  expect(args[1]).toContain("(deny default)");
  expect(args[1]).toContain('(allow process-exec (literal "/opt/python/bin/python3"))');
  expect(args[1]).not.toContain("network-outbound");
});
