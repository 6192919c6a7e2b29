// The programs of docs/library.md, compiled and run as a user would, from a separate project.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const text = readFileSync(join(root, "docs", "library.md"), "utf8");

/** The first TypeScript block under a heading. */
const readBlock = (heading: string): string =>
  /```ts\n([\s\S]*?)```/.exec(text.split(`\n## ${heading}\n`)[1] ?? "")?.[1] ?? "";

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023"],
  module: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

const openProject = async (): Promise<string> => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "mcp-coordinator"), "junction");
  for (const name of ["zod", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  return folder;
};

const execute = (folder: string, words: readonly string[]): string =>
  execFileSync(process.execPath, words, {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, XDG_STATE_HOME: folder, MCP_COORDINATOR_CACHE_FOLDER: folder },
  });

it.each([
  ["Tools of your own", { count: 10 }],
  ["Hooks and plugins", ["(hidden)", "CALL_VETOED"]],
])(
  "docs/library.md shows under %j a program that compiles and runs",
  async (heading, expected) => {
    const folder = await openProject();
    writeFileSync(
      join(folder, "program.ts"),
      `${readBlock(heading)}\nconsole.log(JSON.stringify(value));\nexport {};\n`,
    );
    execute(folder, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", folder]);
    expect(JSON.parse(execute(folder, ["program.js"]))).toEqual(expected);
  },
  90_000,
);
