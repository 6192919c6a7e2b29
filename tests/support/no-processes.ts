// Keeps tests/unit pure: a unit test that starts a process fails, and its message says where it belongs.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterEach } from "vitest";

const message = "Cannot start a process: tests in tests/unit are pure, move this file to tests/process";
let attempts = 0;

const refuse = (): never => {
  attempts += 1;
  throw new Error(message);
};

for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const) {
  Object.defineProperty(childProcess, name, { value: refuse, configurable: true });
}
syncBuiltinESMExports();

// The code under test may catch the error.
afterEach(() => {
  if (attempts === 0) return;
  attempts = 0;
  throw new Error(message);
});
