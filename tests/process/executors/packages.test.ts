// Packages as programs see them: bundled from a real node_modules, imported in both TypeScript engines.
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { defaultLimits, type Executor, type LibraryFile } from "../../../src/contracts/index.js";
import { openIsolateExecutor, openWasmExecutor } from "../../../src/executors/engines/typescript.js";
import { openPackages, type PackageImport } from "../../../src/executors/packages.js";
import { toJob, toProgram } from "../../support/guest-job.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { installPackage } from "./packages/install-package.js";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));

const toImport = (specifier: string, names: PackageImport["names"]): PackageImport => ({
  specifier,
  path: specifier,
  names,
});

const exportsOf = ({ source }: LibraryFile): readonly string[] =>
  (/export\{([^}]*)\};?\s*$/.exec(source)?.[1] ?? "").split(",").map((one) => one.split(" as ").at(-1) ?? "");

const openHere = async (packages: readonly string[]) =>
  openPackages({ packages, resolveFrom: checkout, cacheFolder: await temporaryFolder() });

const openIn = async (resolveFrom: string, packages: readonly string[]) =>
  openPackages({ packages, resolveFrom, cacheFolder: join(resolveFrom, "cache") });

describe("select()", () => {
  it("leaves out code that is not imported", async () => {
    const packages = await openHere(["lodash-es"]);
    const [part] = await packages.select([toImport("lodash-es", ["groupBy"])]);
    const [whole] = await packages.select([toImport("lodash-es", "all")]);

    expect(part && exportsOf(part)).toEqual(["groupBy"]);
    expect(part?.source).not.toMatch(/\bimport\b/);
    expect(part?.source.length).toBeLessThan((whole?.source.length ?? 0) / 4);
  });

  it("merges imports of one package and names the module as the program does", async () => {
    const packages = await openHere(["date-fns", "lodash-es"]);
    const files = await packages.select([
      toImport("date-fns", ["format"]),
      { specifier: "lodash-es/groupBy.js", path: "lodash-es/groupBy", names: ["default"] },
      toImport("date-fns", ["parseISO"]),
    ]);

    expect(files.map(({ path }) => path)).toEqual(["date-fns", "lodash-es/groupBy"]);
    expect(files.map(exportsOf)).toEqual([["format", "parseISO"], ["default"]]);
  });

  it("refuses an unlisted package by name", async () => {
    const packages = await openHere(["lodash-es", "date-fns/format"]);

    await expect(packages.select([toImport("left-pad", ["pad"])])).rejects.toMatchObject({
      code: "PROGRAM_INVALID",
      message: 'Cannot import "left-pad": programs may import "lodash-es", "date-fns/format"',
      hint: expect.stringContaining('"packages": ["left-pad"]'),
    });
    expect(packages.isListed("date-fns/format")).toBe(true);
    expect(packages.isListed("date-fns")).toBe(false);
    expect(packages.isListed("lodash-es/groupBy")).toBe(true);
  });

  it("reports an export that a package does not have", async () => {
    const packages = await openHere(["lodash-es"]);

    await expect(packages.select([toImport("lodash-es", ["groupBy", "groupAll"])])).rejects.toMatchObject({
      code: "PROGRAM_INVALID",
      message: 'Cannot import "groupAll" from "lodash-es": the package has no such export',
    });
  });

  it("reports a path that a package does not have", async () => {
    const packages = await openHere(["date-fns"]);

    await expect(packages.select([toImport("date-fns/private.js", "all")])).rejects.toMatchObject({
      code: "PROGRAM_INVALID",
      message: 'Cannot import "date-fns/private.js": the package has no such path',
    });
  });

  it("reports the package and the Node module that it needs", async () => {
    const folder = await temporaryFolder();
    await installPackage(
      folder,
      { name: "reads", type: "module" },
      { "index.js": 'export { readFileSync } from "node:fs";' },
    );
    await installPackage(
      folder,
      { name: "@old/reads" },
      { "index.js": 'exports.read = require("fs").readFileSync;' },
    );
    await installPackage(folder, { name: "wraps", type: "module" }, { "index.js": 'export * from "reads";' });
    const packages = await openIn(folder, ["reads", "@old/reads", "wraps"]);
    const messageOf = async (specifier: string): Promise<string> =>
      packages.select([toImport(specifier, "all")]).then(
        () => "bundled",
        (error: Error) => error.message,
      );

    expect(await messageOf("reads")).toBe(
      'Cannot import "reads": it needs Node\'s "fs", which programs do not have',
    );
    expect(await messageOf("@old/reads")).toBe(
      'Cannot import "@old/reads": it needs Node\'s "fs", which programs do not have',
    );
    expect(await messageOf("wraps")).toBe(
      'Cannot import "wraps": its "reads" needs Node\'s "fs", which programs do not have',
    );
  });

  it("finds a package that is installed after it was missing", async () => {
    const folder = await temporaryFolder();
    const packages = await openIn(folder, ["late"]);
    const wanted = [toImport("late", ["value"])];

    await expect(packages.select(wanted)).rejects.toMatchObject({
      message: 'Cannot import "late": the package is listed, but not installed',
      hint: 'Run "npm install late" in the folder of the configuration.',
    });
    await installPackage(folder, { name: "late", type: "module" }, { "index.js": "export const value = 1;" });
    expect(await packages.select(wanted)).toHaveLength(1);
  });

  it("caches a bundle while every package in it keeps its version", async () => {
    const folder = await temporaryFolder();
    const install = async (version: string, value: number) =>
      installPackage(
        folder,
        { name: "inner", version, type: "module" },
        { "index.js": `export const value = ${value};` },
      );
    await installPackage(
      folder,
      { name: "outer", type: "module" },
      { "index.js": 'export { value } from "inner";' },
    );
    await install("1.0.0", 111);
    const read = async () =>
      (await (await openIn(folder, ["outer"])).select([toImport("outer", ["value"])]))[0]?.source;

    expect(await read()).toContain("111");
    await install("1.0.0", 222);
    expect(await read()).toContain("111");
    await install("1.0.1", 333);
    expect(await read()).toContain("333");
  });

  it("bundles again when the cache is corrupt or cannot be written", async () => {
    const folder = await temporaryFolder();
    await installPackage(
      folder,
      { name: "small", type: "module" },
      { "index.js": "export const value = 7;" },
    );
    const read = async () =>
      (await (await openIn(folder, ["small"])).select([toImport("small", ["value"])]))[0]?.source;
    await read();
    const cached = join(folder, "cache", "packages");
    for (const name of await readdir(cached)) await writeFile(join(cached, name), "{");

    expect(await read()).toContain("7");
    await rm(join(folder, "cache"), { recursive: true });
    await writeFile(join(folder, "cache"), "a file in the folder's place");
    expect(await read()).toContain("7");
  });
});

describe.each<[string, () => Executor]>([
  ["isolate", () => openIsolateExecutor({ limits: defaultLimits })],
  ["wasm", () => openWasmExecutor({ limits: defaultLimits })],
])("packages in %s", (_name, open) => {
  const executor = open();
  afterAll(() => executor.close());

  const run = async (head: string, body: string, files: readonly LibraryFile[]): Promise<unknown> => {
    const outcome = await executor.run(toJob({ code: `${head} ${toProgram(body)}`, files }));
    return outcome.status === "completed" ? JSON.parse(outcome.valueJson ?? "null") : outcome;
  };

  it("runs lodash-es, date-fns and zod", async () => {
    const packages = await openHere(["lodash-es", "date-fns", "zod"]);
    const files = await packages.select([
      toImport("lodash-es", ["groupBy", "default"]),
      toImport("date-fns/format", ["format"]),
      toImport("zod", ["z"]),
    ]);

    expect(
      await run(
        'import _, { groupBy } from "lodash-es"; import { format } from "date-fns/format"; import { z } from "zod";',
        `const person = z.object({ name: z.string(), age: z.number().min(0) });
         return [
           groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even")),
           _.camelCase("some words"),
           format(new Date(2026, 0, 2), "yyyy-MM-dd"),
           person.parse({ name: "Ann", age: 3 }),
           person.safeParse({ name: 1, age: -1 }).error.issues.map((issue) => issue.path.join(".")),
         ];`,
        files,
      ),
    ).toEqual([
      { odd: [1, 3], even: [2] },
      "someWords",
      "2026-01-02",
      { name: "Ann", age: 3 },
      ["name", "age"],
    ]);
  });

  it("imports names and the default from a CommonJS package", async () => {
    const folder = await temporaryFolder();
    await installPackage(
      folder,
      { name: "old" },
      {
        "index.js":
          "exports.add = (a, b) => a + b; exports.mode = process.env.NODE_ENV; exports.kind = typeof global.Map;",
      },
    );
    const packages = await openIn(folder, ["old"]);
    const files = await packages.select([toImport("old", ["add", "mode", "default"])]);

    expect(
      await run('import old, { add, mode } from "old";', "return [add(1, 2), mode, old.kind]", files),
    ).toEqual([3, "production", "function"]);
  });
});
