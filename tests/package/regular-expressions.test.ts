// No expression of the host may take more than linear time, unless a comment beside it gives a reason.
import { parseSync, visitorKeys } from "oxc-parser";
import { expect, test } from "vitest";
import { findSlowParts } from "./find-slow-expressions.js";
import { readSourceFiles, type SourceFile } from "./source-files.js";

/** `// bounded: the text is cut to 1,000 characters`, on the same line or right above. */
const reason = /^\s*(?:bounded|trusted|linear): \S.{10}/;

/** Folders whose code does not run on the host. */
const elsewhere: Readonly<Record<string, string>> = {
  "executors/guests/typescript/world/": "runs inside the sandbox",
  "checker/": "moves to the checker process",
};

interface Found {
  readonly start: number;
  /** Undefined for `new RegExp(…)`, whose text is only known at run time. */
  readonly regex: { readonly pattern: string; readonly flags: string } | undefined;
}

type AnyNode = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

const listExpressions = (program: unknown): readonly Found[] => {
  const found: Found[] = [];
  const waiting: unknown[] = [program];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value);
    if (typeof value !== "object" || value === null || !("type" in value)) continue;
    const node = value as AnyNode;
    const callee = node.callee as { readonly name?: string } | undefined;
    if (node.type === "Literal" && node.regex !== undefined)
      found.push({ start: node.start, regex: node.regex as Found["regex"] });
    if (callee?.name === "RegExp") found.push({ start: node.start, regex: undefined });
    waiting.push(...(visitorKeys[node.type] ?? []).map((key) => node[key]));
  }
  return found;
};

const findUnexplained = ({ path, text }: SourceFile): readonly string[] => {
  if (path.endsWith(".py") || Object.keys(elsewhere).some((folder) => path.startsWith(folder))) return [];
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const { program, comments } = parseSync(path, text);
  const reasons = comments.filter(({ value }) => reason.test(value)).map(({ end }) => lineOf(end));
  const slow = listExpressions(program).flatMap(({ start, regex }) => {
    const faults = regex === undefined ? ["made at run time"] : findSlowParts(regex.pattern, regex.flags);
    return faults.length === 0 ? [] : [{ line: lineOf(start), faults: faults.join("; ") }];
  });
  const isExplained = ({ line }: { readonly line: number }): boolean =>
    reasons.includes(line) || reasons.includes(line - 1);
  const needless = reasons.filter((at) => !slow.some(({ line }) => line === at || line - 1 === at));
  return [
    ...slow.filter((one) => !isExplained(one)).map(({ line, faults }) => `src/${path}:${line} ${faults}`),
    ...needless.map((line) => `src/${path}:${line} gives a reason for nothing`),
  ];
};

test("every regular expression of the host is linear, or a comment says why it cannot be slow", () => {
  expect(readSourceFiles().flatMap(findUnexplained)).toEqual([]);
});

test.each([
  [String.raw`^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*?\/\/\s*@ts-nocheck`, ""],
  [String.raw`^[A-Za-z0-9+/\s]*={0,2}\s*$`, ""],
  [String.raw`^\s*(\x60{3,}|~{3,})[^\n\x60]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*\s*$`, ""],
  ["^(a+)+$", ""],
  ["^(a|a)*$", ""],
  [String.raw`\s+$`, ""],
  [String.raw`\{file:[^}]*\}`, "g"],
  [String.raw`^\s*\*`, "gm"],
])("the check finds that /%s/%s can be slow", (source, flags) => {
  expect(findSlowParts(source, flags)).not.toEqual([]);
});

test.each([
  [String.raw`^[A-Za-z_]\w*(?:\.\w+)*$`, ""],
  [String.raw`[^\p{L}\p{N}]+`, "gu"],
  [String.raw`\s+`, "g"],
  [String.raw`^"(?:[^"\\]|\\.)*"`, ""],
])("the check accepts /%s/%s", (source, flags) => {
  expect(findSlowParts(source, flags)).toEqual([]);
});
