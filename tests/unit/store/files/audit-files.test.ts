// The chain of the audit: whatever is changed in its files is found, and several writers share one chain.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type AuditFiles,
  hashArguments,
  openAuditFiles,
  openSecretFile,
} from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const open = (state: string, options: { maxFileBytes?: number; keptFiles?: number } = {}): AuditFiles =>
  openAuditFiles({
    folder: join(state, "audit"),
    readKey: openSecretFile(state, "audit.key").read,
    maxFileBytes: 1e6,
    isSynced: false,
    ...options,
  });
const entry = (tool: string) =>
  ({ at: "2026-01-31T00:00:00.000Z", kind: "call", server: "mail", tool }) as const;
const append = async (files: AuditFiles, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await files.append([entry(`tool-${at}`)]);
};
const path = (state: string): string => join(state, "audit", "audit.jsonl");
const readLines = (state: string): string[] => readFileSync(path(state), "utf8").split("\n").slice(0, -1);
const writeLines = (state: string, lines: readonly string[]): void =>
  writeFileSync(path(state), lines.map((line) => `${line}\n`).join(""));

describe("the audit", () => {
  it("is intact as it was written, and its key is private", async () => {
    const state = await temporaryFolder();
    const files = open(state);
    await append(files, 5);
    const last = readLines(state).at(-1) ?? "";
    const { mac } = JSON.parse(last) as { mac: string };
    expect(await files.verify()).toEqual({ isIntact: true, lines: 5, files: 1, problems: [], anchor: mac });
    expect(statSync(join(state, "audit.key")).mode & 0o777).toBe(0o600);
    expect(statSync(path(state)).mode & 0o777).toBe(0o600);
  });

  const changes: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
    "is edited": (lines) => lines.with(2, (lines[2] ?? "").replace("tool-2", "tool-x")),
    "at the end is edited": (lines) => lines.with(4, (lines[4] ?? "").replace("tool-4", "tool-x")),
    "is removed": (lines) => lines.toSpliced(2, 1),
    "at the beginning is removed": (lines) => lines.slice(1),
    "is moved": (lines) => [lines[0], lines[2], lines[1], lines[3], lines[4]].map(String),
    "is repeated": (lines) => lines.toSpliced(2, 0, lines[1] ?? ""),
    "is added": (lines) => lines.toSpliced(2, 0, '{"n":3,"kind":"call"}'),
    "is not JSON": (lines) => lines.with(3, "x"),
    "gets a space": (lines) => lines.with(1, (lines[1] ?? "").replace(",", ", ")),
  };
  it.each(Object.entries(changes))("is not intact if a line %s", async (_name, change) => {
    const state = await temporaryFolder();
    const files = open(state);
    await append(files, 5);
    writeLines(state, change(readLines(state)));
    expect((await open(state).verify()).isIntact).toBe(false);
  });

  it("is not intact after a change that was followed by more lines", async () => {
    const state = await temporaryFolder();
    await append(open(state), 3);
    writeLines(state, readLines(state).slice(0, 2).concat('{"n":3}'));
    await append(open(state), 2);
    const { problems } = await open(state).verify();
    expect(problems[0]).toMatchObject({ file: "audit.jsonl", line: 3 });
  });

  it.each([
    ["an empty line", "\n"],
    ["a made-up line", `{"n":9007199254740991,"previous":"x","mac":"${"x".repeat(43)}"}\n`],
    ["a very long line", `${"x".repeat(200_000)}\n`],
  ])("loses no line of its own if somebody adds %s, again and again", async (_title, added) => {
    const state = await temporaryFolder();
    for (let count = 0; count < 8; count++) {
      await open(state, { maxFileBytes: 600 }).append([entry(`tool-${count}`)]);
      writeFileSync(path(state), added, { flag: "a" });
    }
    const numbers: unknown[] = [];
    await open(state).walk((line) => {
      if (line.includes("tool-")) numbers.push((JSON.parse(line) as { n: number }).n);
      return undefined;
    });
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await open(state).verify()).isIntact).toBe(false);
  });

  it("detects a line that was removed from the end only with an anchor", async () => {
    const state = await temporaryFolder();
    await append(open(state), 3);
    const { anchor } = await open(state).verify();
    writeLines(state, readLines(state).slice(0, 2));
    expect((await open(state).verify()).isIntact).toBe(true);
    expect((await open(state).verify(anchor)).problems).toMatchObject([
      { problem: "the anchor is not in it" },
    ]);
  });

  it("continues over renamed files, in order", async () => {
    const state = await temporaryFolder();
    const files = open(state, { maxFileBytes: 600 });
    await append(files, 9);
    const names = readdirSync(join(state, "audit")).filter((name) => name.endsWith(".jsonl"));
    expect(names.length).toBeGreaterThan(2);
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 9, files: names.length });
    rmSync(join(state, "audit", names.sort()[1] ?? ""));
    expect((await open(state).verify()).isIntact).toBe(false);
  });

  it("says which old files the settings removed, and finds others that are missing", async () => {
    const state = await temporaryFolder();
    const files = open(state, { maxFileBytes: 600, keptFiles: 2 });
    await append(files, 20);
    const list = () =>
      readdirSync(join(state, "audit"))
        .filter((name) => /^audit-\d/.test(name))
        .sort();
    expect(list().length).toBeLessThanOrEqual(3);
    expect((await files.verify()).isIntact).toBe(true);
    rmSync(join(state, "audit", list()[0] ?? ""));
    expect((await files.verify()).problems).toMatchObject([
      { problem: expect.stringContaining("are missing") },
    ]);
  });

  it("is one chain for several writers at once", async () => {
    const state = await temporaryFolder();
    await Promise.all([1, 2, 3].map(() => append(open(state, { maxFileBytes: 2000 }), 10)));
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 30 });
  });

  it.each([
    ["line breaks", "a\u2028b\u2029c\u0085d\re\n"],
    ["more characters than are read at once", "x".repeat(300_000)],
  ])("is intact if names have %s", async (_title, name) => {
    const state = await temporaryFolder();
    for (let count = 0; count < 3; count++) await open(state).append([entry(name)]);
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 3 });
    const tools: unknown[] = [];
    await open(state).walk((line) => void tools.push((JSON.parse(line) as { tool: string }).tool));
    expect(tools).toEqual([name, name, name]);
    writeFileSync(path(state), `{"n":4,"tool":${JSON.stringify(name)}`, { flag: "a" });
    await append(open(state), 1);
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 4 });
  });

  it("drops half a line that a killed process left", async () => {
    const state = await temporaryFolder();
    await append(open(state), 2);
    writeFileSync(path(state), '{"n":3,"kind":"ca', { flag: "a" });
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 2 });
    await append(open(state), 1);
    expect(await open(state).verify()).toMatchObject({ isIntact: true, lines: 3 });
  });

  it("cannot be verified with another key", async () => {
    const state = await temporaryFolder();
    await append(open(state), 2);
    rmSync(join(state, "audit.key"));
    expect((await open(state).verify()).isIntact).toBe(false);
  });

  it("gives equal arguments the same HMAC, in whatever order their fields are, and no plain hash", async () => {
    const key = Buffer.alloc(32, 1);
    const one = await hashArguments(key, { a: 1, b: [2] });
    expect(await hashArguments(key, { b: [2], a: 1 })).toEqual(one);
    expect((await hashArguments(Buffer.alloc(32, 2), { a: 1, b: [2] })).hmac).not.toBe(one.hmac);
    expect((await hashArguments(key, { text: "x".repeat(1e6) })).bytes).toBe(1_000_011);
  });
});
