// Which of the operating system's walls can be tested on this machine, and why the others cannot.
import { spawnSync } from "node:child_process";
import type { Wall, WallCommand } from "../../src/executors/walls/walls.js";
import { planWalls } from "../../src/executors/walls/walls.js";

const lockDownFile = new URL("../../src/executors/walls/lock-down.mjs", import.meta.url).href;

/** Why these walls are not all available here; undefined if they are. Only a process that tries them can find out. */
export const findWallObstacle = (walls: readonly Wall[]): string | undefined => {
  try {
    const { outer, own, nativeFolder } = planWalls(walls);
    const node: WallCommand = { command: process.execPath, args: ["--version"] };
    const problem = outer && findComplaint(outer.wrap(node, []));
    if (problem !== undefined || own.length === 0) return problem;
    const options = JSON.stringify({ nativeFolder, walls: own, isJitless: false, isStrict: true });
    const code = `import { lockDown } from ${JSON.stringify(lockDownFile)}; lockDown(${options}); process.exit(0)`;
    return findComplaint({ ...node, args: ["--input-type=module", "-e", code] });
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
};

const findComplaint = ({ command, args }: WallCommand): string | undefined => {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8", env: {} });
  return status === 0
    ? undefined
    : (/Error: (.*)/.exec(stderr)?.[1] ?? (stderr.trim() || "the process ended"));
};

/** Starts a command as a user who owns nothing. */
export const asNobody = (command: string, args: readonly string[]): readonly string[] => [
  "setpriv",
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  command,
  ...args,
];

/** Why no command can be started as another user here; undefined when it can. */
export const findUserObstacle = (): string | undefined => {
  if (process.getuid?.() !== 0) return "the tests run as an ordinary user already";
  const [command = "", ...args] = asNobody(process.execPath, ["--version"]);
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? undefined : `no other user can start Node: ${error?.message ?? stderr.trim()}`;
};
