// The check refuses none of the correct Python programs in correct-programs.md.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkPython } from "../../../../src/checker/python/check-python.js";
import { toPythonRequest } from "../servers.js";

const document = readFileSync(new URL("./correct-programs.md", import.meta.url), "utf8");
const programs = [...document.matchAll(/^## (.+)\n\n(```py\n[\s\S]*?\n```)/gm)].map(
  ([, title = "", program = ""]) => [title, program] as const,
);

it("there are programs to check", () => {
  expect(programs.length).toBeGreaterThan(60);
});

it.each(programs)("a correct Python program is parsed and accepted: %s", async (_title, program) => {
  const { diagnostics, isGuessed } = checkPython(
    await toPythonRequest(program, { missingModules: ["no_such_library", "no_such_library_either"] }),
  );

  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(isGuessed).toBeUndefined();
});

it.each(programs)("a correct Python program is accepted in a session: %s", async (_title, program) => {
  const { diagnostics } = checkPython(await toPythonRequest(program, { isSession: true }));

  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
