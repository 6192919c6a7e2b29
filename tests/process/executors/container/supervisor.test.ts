// The first process of a container for Python, without a container: it kills processes and empties /tmp, so bubblewrap gives it its own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { toPythonRules } from "../../../../src/executors/engines/guest-files.js";

const executors = fileURLToPath(new URL("../../../../src/executors", import.meta.url));
const walls = [
  ...["--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--tmpfs", "/tmp"],
  ...["--ro-bind", executors, "/mnt", "--proc", "/proc", "--dev", "/dev"],
];

test("a container's first process ends when its host is gone", async ({ skip }) => {
  skip(
    spawnSync("bwrap", [...walls, "python3", "--version"]).status !== 0,
    "bubblewrap or python3 is missing",
  );
  const plan = JSON.stringify({ libraries: [], rules: toPythonRules(true) });
  const supervisor = ["python3", "-I", "-B", "/mnt/guests/python/container_child.py", plan, "name"];
  const child = spawn("bwrap", [...walls, ...supervisor], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([1, null]);
});
