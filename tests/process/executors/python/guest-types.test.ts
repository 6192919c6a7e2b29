// Type-checks our own Python.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { checkPython, hasMypy } from "../../codegen/check-python.js";

const source = fileURLToPath(new URL("../../../../src", import.meta.url));

test("our Python passes a strict type check", async ({ skip }) => {
  skip(!hasMypy, "mypy is not installed");
  expect(checkPython(source, await temporaryFolder())).toBe("");
});
