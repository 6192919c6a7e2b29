// `npm run pack:bundle`: builds an MCPB bundle for this platform with everything it needs, and server.json for the registry.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { toManifest, toRegistryEntry } from "./bundle-files.mjs";
import { installPackages, toPackageDoors } from "./install-packages.mjs";
import { runNpm, runQuietly } from "./run-process.mjs";

const packer = ["@anthropic-ai/mcpb@2.1.2"];

/** The packer omits all declaration files. The compiler needs those of the language, and does not start without `lib.d.ts`. */
const keptDeclarations = ["lib", "lib.es*", "lib.decorators*"].map(
  (name) => `!node_modules/@typescript/typescript-*/lib/${name}.d.ts`,
);

const askNpm = async (folder, words) => {
  const { output } = await runNpm(process.execPath, [...words, "--loglevel=silent"], folder);
  return output;
};

/** The files that npm would publish. */
const listOwnFiles = async (folder) => {
  const output = await askNpm(folder, ["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const [packed] = JSON.parse(output.slice(output.indexOf("[")));
  return packed.files.map(({ path }) => path);
};

/** The installed packages that are needed at run time. */
const listPackages = async (folder) => {
  const output = await askNpm(folder, ["ls", "--omit=dev", "--all", "--parseable"]);
  const paths = output.split("\n").map((path) => relative(folder, path.trim()));
  return [...new Set(paths.filter((path) => path.startsWith("node_modules")))];
};

const stage = async (folder, target, manifest) => {
  for (const path of await listOwnFiles(folder)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(folder, path), join(target, path));
  }
  for (const path of await listPackages(folder)) {
    const nested = join(folder, path, "node_modules");
    cpSync(join(folder, path), join(target, path), {
      recursive: true,
      dereference: true,
      // Nested packages are in the list themselves.
      filter: (source) => !source.endsWith(".map") && source !== nested,
    });
  }
  writeFileSync(join(target, ".mcpbignore"), `${keptDeclarations.join("\n")}\n`);
  writeFileSync(join(target, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
};

/** Writes the bundle and server.json into a folder; returns the bundle's path. */
export const packBundle = async ({ folder, out }) => {
  const facts = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const platform = `${process.platform}-${process.arch}`;
  const bundle = join(out, `${facts.name}-${facts.version}-${platform}.mcpb`);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "server.json"), `${JSON.stringify(toRegistryEntry(facts), undefined, 2)}\n`);
  await installPackages(packer);
  const program = toPackageDoors(packer).findFile("@anthropic-ai", "mcpb", "dist", "cli", "cli.js");
  const staged = mkdtempSync(join(tmpdir(), "mcp-coordinator-bundle-"));
  try {
    await stage(folder, staged, toManifest(facts, process.platform));
    for (const words of [
      ["validate", join(staged, "manifest.json")],
      ["pack", staged, bundle],
    ]) {
      const { code, output } = await runQuietly(process.execPath, [program, ...words], { cwd: staged });
      if (code !== 0) throw new Error(`Cannot ${words[0]} the bundle:\n${output.trim()}`);
    }
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  return bundle;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  try {
    console.log(await packBundle({ folder, out: process.argv[2] ?? join(folder, "bundle") }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
