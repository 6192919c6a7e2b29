// The isolate executor fulfils the contract, behind every available combination of the operating system's walls.
import { it } from "vitest";
import { openIsolateExecutor } from "../../src/executors/engines/typescript.js";
import type { Wall } from "../../src/executors/walls/walls.js";
import { findWallObstacle } from "../support/walls.js";
import { testExecutor } from "./executor-contract.js";
import { typescriptPrograms } from "./typescript-programs.js";

testExecutor({
  name: "isolate",
  language: "typescript",
  open: (limits) => openIsolateExecutor({ limits }),
  programs: typescriptPrograms,
});

const combinations: readonly (readonly Wall[])[] = [["landlock", "seccomp"], ["bubblewrap"], []];

for (const walls of combinations) {
  const name = `isolate with ${walls.join(" and ") || "no wall of the operating system"}`;
  const obstacle = findWallObstacle(walls);
  if (obstacle === undefined)
    testExecutor({
      name,
      language: "typescript",
      open: (limits) => openIsolateExecutor({ limits, walls }),
      programs: typescriptPrograms,
    });
  else it.skip(`executor contract: ${name} (${obstacle})`, () => {});
}
