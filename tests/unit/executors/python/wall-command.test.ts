// How the zygote is started inside each wall.
import { expect, test } from "vitest";
import type { Interpreter } from "../../../../src/executors/engines/python/interpreter.js";
import { toZygoteCommand } from "../../../../src/executors/engines/python/python.js";

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
const options = { interpreter, preload: ["numpy"], channelFolder: "/run/private" };
const planOf = (args: readonly string[]): Record<string, unknown> => JSON.parse(args.at(-1) ?? "");

test("toZygoteCommand() passes the zygote its plan, with the socket path as it will see it", () => {
  const inside = toZygoteCommand({ ...options, kind: "bubblewrap" });
  const outside = toZygoteCommand({ ...options, kind: "self" });

  expect(planOf(inside.args)).toMatchObject({
    kind: "bubblewrap",
    socket: "/channel/zygote",
    preload: ["numpy"],
  });
  expect(planOf(inside.args).hidden).toEqual(["/guest", "/channel"]);
  expect(planOf(outside.args)).toMatchObject({ kind: "self", socket: "/run/private/zygote", hidden: [] });
});

test("toZygoteCommand() has no socket when the wall is only tried", () => {
  const { interpreter: python, preload } = options;
  const { args } = toZygoteCommand({ kind: "self", interpreter: python, preload });

  expect(planOf(args).socket).toBeNull();
});

test("toZygoteCommand() runs Python isolated from environment, user and folder", () => {
  const { command, args, environment } = toZygoteCommand({ ...options, kind: "self" });

  expect([command, ...args.slice(0, 2)]).toEqual(["/opt/python/bin/python3", "-I", "-B"]);
  expect(Object.keys(environment).filter((name) => !name.endsWith("_NUM_THREADS"))).toEqual([]);
});

test("toZygoteCommand() shares no namespace with the machine inside bubblewrap, and ends with its host", () => {
  const { args } = toZygoteCommand({ ...options, kind: "bubblewrap" });

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

test("toZygoteCommand() denies everything by default inside Seatbelt, and runs nothing but Python", () => {
  const { args } = toZygoteCommand({ ...options, kind: "seatbelt" });

  expect(args[1]).toContain("(deny default)");
  expect(args[1]).toContain('(allow process-exec (literal "/opt/python/bin/python3"))');
  expect(args[1]).not.toContain("network-outbound");
});
