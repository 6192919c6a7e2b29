// The check refuses none of the correct programs in correct-programs.md.
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { openChecker } from "../../../src/checker/typescript/check-typescript.js";
import { toRequest } from "../../unit/checker/servers.js";

const checker = openChecker();
afterAll(() => checker.close());

const document = readFileSync(new URL("./correct-programs.md", import.meta.url), "utf8");
const programs = [...document.matchAll(/^## (.+)\n\n(```ts\n[\s\S]*?\n```)/gm)].map(
  ([, title = "", program = ""]) => [title, program] as const,
);

it("there are programs to check, and a compiler that checks them", () => {
  expect(programs.length).toBeGreaterThan(60);
  expect(checker.isTyped).toBe(true);
});

it.each(programs)("a correct program is accepted: %s", async (_title, program) => {
  const { diagnostics } = await checker.check(await toRequest(program));

  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

it.each(programs)("a correct program is accepted without a compiler: %s", async (_title, program) => {
  const plain = openChecker({ compiler: undefined });
  const { diagnostics } = await plain.check(await toRequest(program));

  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
