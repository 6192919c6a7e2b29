// The embedded Python fulfils the contract.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openPythonLiteExecutor } from "../../src/executors/engines/python-lite.js";
import { testExecutor } from "./executor-contract.js";
import { pythonPrograms } from "./python-programs.js";

const cacheFolder = mkdtempSync(join(tmpdir(), "mcp-python-lite-"));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

const { isAvailable, reason } = await openPythonLiteExecutor({
  limits: defaultLimits,
  cacheFolder,
}).inspect();
if (isAvailable)
  testExecutor({
    name: "python-lite",
    language: "python",
    open: (limits) => openPythonLiteExecutor({ limits, cacheFolder }),
    programs: pythonPrograms,
  });
else describe("executor contract: python-lite", () => it.skip(`skipped: ${reason}`, () => {}));
