// Polls for bytes without blocking: a real process with a real pipe.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findNativeFolder } from "../../../../src/executors/walls/walls.js";

const file = new URL("../../../../src/executors/walls/watch-input.mjs", import.meta.url).href;

const ask = (nativeFolder: string, input: string): string =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { watchInput } from ${JSON.stringify(file)};
       import { readSync } from "node:fs";
       const hasInput = watchInput({ nativeFolder: ${JSON.stringify(nativeFolder)}, descriptor: 0 });
       const first = hasInput?.();
       if (first) readSync(0, Buffer.alloc(3));
       process.stdout.write(String(first) + " " + String(hasInput?.()));`,
    ],
    { encoding: "utf8", input, cwd: fileURLToPath(new URL(".", import.meta.url)) },
  );

const nativeFolder = findNativeFolder();

test.skipIf(nativeFolder === undefined)("watchInput() reports available bytes (needs koffi)", () => {
  // A closed end is readable too: reading it returns nothing.
  expect(ask(nativeFolder ?? "", "abc")).toBe("true true");
});

test("watchInput() returns undefined without the native binary", () => {
  expect(ask("", "abc")).toBe("undefined undefined");
});
