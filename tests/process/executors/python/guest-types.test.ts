// Type-checks our own Python.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { checkPython, hasMypy } from "../../codegen/check-python.js";

const guests = fileURLToPath(new URL("../../../../src/executors/guests", import.meta.url));

test("the Python of the guests passes a strict type check", async ({ skip }) => {
  skip(!hasMypy, "mypy is not installed");
  expect(checkPython(guests, await temporaryFolder())).toBe("");
});
