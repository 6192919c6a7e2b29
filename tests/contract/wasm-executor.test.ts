// The wasm executor fulfils the contract, behind the operating system's walls and without them.
import { it } from "vitest";
import { openWasmExecutor } from "../../src/executors/engines/typescript.js";
import type { Wall } from "../../src/executors/walls/walls.js";
import { findWallObstacle } from "../support/walls.js";
import { testExecutor } from "./executor-contract.js";
import { typescriptPrograms } from "./typescript-programs.js";

testExecutor({
  name: "wasm",
  language: "typescript",
  open: (limits) => openWasmExecutor({ limits }),
  programs: typescriptPrograms,
});

const combinations: readonly (readonly Wall[])[] = [["landlock", "seccomp"], []];

for (const walls of combinations) {
  const name = `wasm with ${walls.join(" and ") || "no wall of the operating system"}`;
  const obstacle = findWallObstacle(walls);
  if (obstacle === undefined)
    testExecutor({
      name,
      language: "typescript",
      open: (limits) => openWasmExecutor({ limits, walls }),
      programs: typescriptPrograms,
    });
  else it.skip(`executor contract: ${name} (${obstacle})`, () => {});
}
