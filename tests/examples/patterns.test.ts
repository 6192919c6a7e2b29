// The blocks of docs/patterns.md, and the first ones of other pages, run unchanged; both languages return the same result.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeOrders } from "../../examples/support/write-orders.mjs";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const toPrograms = (text: string) => ({
  title: text.slice(0, text.indexOf("\n")),
  typescript: /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? "",
  python: /```python\n([\s\S]*?)```/.exec(text)?.[1] ?? "",
});
const patterns = read("docs/patterns.md").split(/^## /m).slice(1).map(toPrograms);

const expected: Record<string, unknown> = {
  Wrapper: ["79.19 EUR", "158.38 NOK"],
  Chain: true,
  Aggregate: { paid: 150, pending: 50, refunded: 50 },
  Fallback: [
    { from: "orders", id: 3 },
    { from: "archive", id: 1003 },
  ],
  Paginate: 71,
  Poll: "report: 600 pages rendered",
  "Fan-out": { cities: ["Porto", "Lyon", "Graz"], missing: [9999] },
};

let folder: string;
let fixture: OpenFixture;
let unavailable: string | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patterns-test-"));
  const serve = (server: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(root, "examples/servers", `${server}.mjs`), ...args],
  });
  writeOrders(join(folder, "orders.sqlite"), 250);
  writeOrders(join(folder, "archive.sqlite"), 50, 1000);
  fixture = await openFixture({
    orders: serve("orders", join(folder, "orders.sqlite")),
    archive: serve("orders", join(folder, "archive.sqlite")),
    jobs: serve("jobs"),
  });
  const { error } = await fixture.run("return 1", { language: "python" });
  unavailable = error?.code === "LANGUAGE_UNAVAILABLE" ? error.message : undefined;
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("docs/patterns.md", () => {
  it("has the seven patterns", () => {
    expect(patterns.map(({ title }) => title)).toEqual(Object.keys(expected));
  });

  it.each(patterns)("$title runs in TypeScript", async ({ title, typescript }) => {
    const { value, error, warnings } = await fixture.run(typescript);
    expect(error).toBeUndefined();
    expect(warnings).toBeUndefined();
    expect(value).toEqual(expected[title]);
  });

  it.for(patterns)("$title runs in Python", async ({ title, python }, { skip }) => {
    skip(unavailable !== undefined, unavailable);
    const { value, error, warnings } = await fixture.run(python, { language: "python" });
    expect(error).toBeUndefined();
    expect(warnings).toBeUndefined();
    expect(value).toEqual(expected[title]);
  });
});

describe("docs/programs.md", () => {
  const { typescript, python } = toPrograms(read("docs/programs.md"));

  it("begins with a program that runs in TypeScript", async () => {
    expect((await fixture.run(typescript)).value).toEqual({ orders: 250, pending: 50 });
  });

  it("begins with a program that runs in Python", async ({ skip }) => {
    skip(unavailable !== undefined, unavailable);
    expect((await fixture.run(python, { language: "python" })).value).toEqual({ orders: 250, pending: 50 });
  });
});

describe("docs/state.md", () => {
  it("begins with a program that runs", async () => {
    const { typescript } = toPrograms(read("docs/state.md"));
    expect((await fixture.run(typescript)).value).toEqual({ leads: 1, runs: 1 });
  });
});
