// The compiler process: positions, time limits, concurrent programs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  type Compiler,
  configuration,
  findClassicCompiler,
  openClassicCompiler,
  paths,
} from "../../../../../src/checker/typescript/types/compiler.js";
import {
  findNativeCompiler,
  openNativeCompiler,
} from "../../../../../src/checker/typescript/types/native-compiler.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";

const native = findNativeCompiler();
const classic = findClassicCompiler();
const compilers = [
  ["openNativeCompiler()", native === undefined ? undefined : openNativeCompiler(native)],
  // An optional package that may not be installed.
  ["openClassicCompiler()", classic === undefined ? undefined : openClassicCompiler(classic)],
] as const;

it("there is a compiler on this machine", () => {
  expect(native).toBeDefined();
});

describe.each(compilers.filter(([, compiler]) => compiler !== undefined))("%s", (_name, opened) => {
  const compiler = opened as Compiler;
  afterAll(() => compiler.close());

  const compile = (program: string, timeoutMs = 20_000) => {
    const files = new Map<string, string>([
      [paths.configuration, configuration],
      [paths.world, ""],
      [paths.program, program],
    ]);
    return compiler.compile({
      files: { read: (path) => files.get(path), paths: () => files.keys() },
      changed: [paths.program],
      timeoutMs,
    });
  };

  it("reports what is wrong with a program and where", async () => {
    expect(await compile('const a: number = "x";\nexport {};')).toMatchObject([
      { code: 2322, start: 6, end: 7 },
    ]);
  });

  it("notices a changed text under the same name", async () => {
    await compile("export const a = 1;");

    expect(await compile("export const a = b;")).toMatchObject([{ code: 2304 }]);
    expect(await compile("export const a = 1;")).toEqual([]);
  });

  it("reads no files of the machine", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "secret.ts"), 'export const secret = "from the disk" as const;');
    const messages = await compile(
      `/// <reference path="${folder}/secret.ts" />\nimport { secret } from "${folder}/secret";\nexport const shown: never = secret;`,
    );

    expect(messages.map(({ code }) => code)).toContain(2307);
    expect(JSON.stringify(messages)).not.toContain("from the disk");
  });

  it("gives up at its time limit and works again afterwards", async () => {
    compiler.close();

    await expect(compile("export const a = 1;", 1)).rejects.toThrow("no answer within 1 ms");
    expect(await compile("export const a = b;")).toMatchObject([{ code: 2304 }]);
  });

  it("gives each of many concurrent programs its own answer", async () => {
    const answers = await Promise.all(["a", "b", "c"].map((name) => compile(`export const x = ${name};`)));

    expect(answers.map(([message]) => message?.text)).toEqual([
      "Cannot find name 'a'.",
      "Cannot find name 'b'.",
      "Cannot find name 'c'.",
    ]);
  });
});
