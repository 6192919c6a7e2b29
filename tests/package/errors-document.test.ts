// docs/errors.md and the error table say the same, and every next step is a sentence.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

test("every next step of the table is a sentence, and its commands can be copied", () => {
  for (const [code, { hint }] of Object.entries(errorTable)) {
    expect([code, hint]).toEqual([code, expect.stringMatching(/^[A-Z"].*[.?]$/s)]);
    expect([code, hint]).toEqual([code, expect.not.stringMatching(/: [a-z ]+ (?:RUN_ID|NAME)/)]);
  }
});

// The hints of the checker are parts of its findings, which are lists.
const files = globSync("**/*.ts", { cwd: fileURLToPath(new URL("../../src", import.meta.url)) }).filter(
  (file) => !file.startsWith("checker"),
);

// A command to copy may be the end of one.
test("every next step that the source gives an error is a sentence", () => {
  const open = files.flatMap((file) => {
    const text = readFileSync(join(fileURLToPath(new URL("../../src", import.meta.url)), file), "utf8");
    return [...text.matchAll(/\bhint(?::| =)\s*(["'`])(.*?[^\\])\1\s*[,;}\n]/g)]
      .map(([, , hint = ""]) => hint)
      .filter((hint) => !/[.? }]$|(?:for details|this first|Resume it): /.test(hint))
      .map((hint) => `${file}: ${hint}`);
  });
  expect(open).toEqual([]);
});
