// The Python guest spins for an answer like the TypeScript one: only while answers are quick.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../../../src/executors/guests/python/guest_world", import.meta.url));

const script = `
import json, sys, time, types
now = 0.0
time.perf_counter = lambda: now
package = types.ModuleType("world")
package.__path__ = [sys.argv[1]]
sys.modules["world"] = package
from world.short_wait import ShortWait

asked = 0
answer_at = None
def poll(milliseconds):
    global asked, now
    asked += 1
    now += 0.0001
    return answer_at is not None and asked >= answer_at

def wait(seconds):
    global now
    before = asked
    waiting.begin()
    now += seconds
    waiting.end()
    return asked - before

answer_at = 5
waiting = ShortWait(poll)
quick = wait(0)
answer_at = None
first = wait(0.002)
for _ in range(10): wait(0.002)
blocked = wait(0.002)
again = sum(wait(0) for _ in range(30))
print(json.dumps([quick, first > 5, blocked, again > 0]))
`;

test("the guest polls until the answer arrives, blocks while answers are slow, and polls again when they are quick", ({
  skip,
}) => {
  const { status, stdout, error } = spawnSync("python3", ["-I", "-B", "-c", script, folder], {
    encoding: "utf8",
  });
  if (error !== undefined) skip("python3 is not installed");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual([5, true, 0, true]);
});
