// The Python executor fulfils the contract, behind bubblewrap and behind its own lockdown.
import { describe, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { testExecutor } from "./executor-contract.js";
import { pythonPrograms } from "./python-programs.js";

for (const wall of ["bubblewrap", "self"] as const) {
  const probe = openPythonExecutor({ limits: defaultLimits, wall });
  const { isAvailable, reason } = await probe.inspect();
  if (isAvailable)
    testExecutor({
      name: `python, ${wall}`,
      language: "python",
      open: (limits) => openPythonExecutor({ limits, wall }),
      programs: pythonPrograms,
    });
  else describe(`executor contract: python, ${wall}`, () => it.skip(`skipped: ${reason}`, () => {}));
}
