// The executors that can run on this machine; the others are listed with the reason why they are skipped.
import type { Executor, Language, Limits } from "../../../src/contracts/index.js";
import { openContainerExecutor } from "../../../src/executors/engines/container/container.js";
import { openPythonExecutor } from "../../../src/executors/engines/python/python.js";
import { openPythonLiteExecutor } from "../../../src/executors/engines/python-lite.js";
import { openIsolateExecutor, openWasmExecutor } from "../../../src/executors/engines/typescript.js";
import { findContainerObstacle } from "../../support/container-image.js";

export interface ExecutorHere {
  readonly name: string;
  readonly open: (limits: Limits) => Executor;
  /** Why it is skipped. */
  readonly reason: string | undefined;
}

const candidates: Readonly<Record<string, (limits: Limits) => Executor>> = {
  isolate: (limits) => openIsolateExecutor({ limits }),
  wasm: (limits) => openWasmExecutor({ limits }),
  python: (limits) => openPythonExecutor({ limits }),
  "python-lite": (limits) => openPythonLiteExecutor({ limits }),
  container: (limits) => openContainerExecutor({ limits }),
};

/** Every executor of a language, asked whether it can run here. */
export const executorsHere = async (language: Language, limits: Limits): Promise<readonly ExecutorHere[]> => {
  const found: ExecutorHere[] = [];
  // Builds the image if it is missing: otherwise only files that start later would find it.
  await findContainerObstacle(language);
  for (const [name, open] of Object.entries(candidates)) {
    const executor = open(limits);
    if (executor.languages.includes(language)) {
      const { isAvailable, reason = "it cannot run here" } = await executor.inspect();
      found.push({ name, open, reason: isAvailable ? undefined : reason });
    }
    await executor.close();
  }
  return found;
};
