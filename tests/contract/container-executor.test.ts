// The container executor fulfils the contract in both languages, if Podman or Docker can start a container.
import { it } from "vitest";
import { openContainerExecutor } from "../../src/executors/engines/container/container.js";
import { findContainerObstacle } from "../support/container-image.js";
import { testExecutor } from "./executor-contract.js";
import { pythonPrograms } from "./python-programs.js";
import { typescriptPrograms } from "./typescript-programs.js";

const subjects = [
  { language: "typescript", programs: typescriptPrograms },
  { language: "python", programs: pythonPrograms },
] as const;

for (const { language, programs } of subjects) {
  const obstacle = await findContainerObstacle(language);
  const name = `container, ${language}`;
  if (obstacle === undefined)
    testExecutor({ name, language, open: (limits) => openContainerExecutor({ limits }), programs });
  else it.skip(`executor contract: ${name} (${obstacle})`, () => {});
}
