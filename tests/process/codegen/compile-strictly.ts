// Compiles files with every strictness that the compiler has, in a folder that is removed after the test.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";

const compiler = resolve(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023"],
  module: "NodeNext",
  types: [],
  noEmit: true,
  strict: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedParameters: true,
  skipLibCheck: false,
  verbatimModuleSyntax: true,
};

/** The compiler's errors, one per line; empty if there are none. */
export const compileStrictly = async (files: ReadonlyMap<string, string>): Promise<string> => {
  const folder = await temporaryFolder();
  const paths = [...files.keys()];
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: paths }));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [compiler, "-p", folder, "--pretty", "false"],
    {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return status === 0 ? "" : `${stdout}${stderr}` || `The compiler ended with ${status}`;
};
