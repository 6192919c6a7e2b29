// docs/errors.md and the error table say the same.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTable } from "../../src/contracts/index.js";

interface Row {
  readonly code: string;
  readonly kind: string;
  readonly meaning: string;
  readonly hint: string;
}

const readRows = (): readonly Row[] => {
  const sections = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8").split(/^## /m);
  return sections.slice(1).flatMap((section) => {
    const kind = /\(`(\w+)`/.exec(section)?.[1] ?? "";
    return [...section.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
      ([, code = "", meaning = "", hint = ""]) => ({ code, kind, meaning, hint }),
    );
  });
};

const byCode = (left: Row, right: Row): number => left.code.localeCompare(right.code);

test("docs/errors.md has every code of the table with its kind, meaning and next step, and no other", () => {
  const wanted = Object.entries(errorTable).map(([code, entry]) => ({ code, ...entry }));
  expect([...readRows()].sort(byCode)).toEqual(wanted.sort(byCode));
});
