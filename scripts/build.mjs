// Builds dist/ from src/: compiles TypeScript, copies files that run unchanged, removes files without a source, bundles the modules.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { makeTokenTable } from "./make-token-table.mjs";
import { runQuietly } from "./run-process.mjs";

const stampName = ".built";
const bundleScript = fileURLToPath(new URL("./bundle.mjs", import.meta.url));

const listFiles = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? listFiles(path) : [path];
      })
    : [];

const isCompiled = (path) => path.endsWith(".ts") && !path.endsWith(".d.ts");

const outputsOf = (path) =>
  isCompiled(path) ? [path.replace(/\.ts$/, ".js"), path.replace(/\.ts$/, ".d.ts")] : [path];

const fingerprintOf = (folder, sources) => {
  const hash = createHash("sha256");
  const inputs = ["package.json", "tsconfig.json", "tsconfig.build.json"].map((name) => join(folder, name));
  for (const path of [...inputs, ...sources.map((name) => join(folder, "src", name))]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(folder, path)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
};

/** Builds if something changed since the last build. */
export const build = async (folder, node, say) => {
  await makeTokenTable(folder);
  const source = join(folder, "src");
  const target = join(folder, "dist");
  const sources = listFiles(source).map((path) => relative(source, path));
  const fingerprint = fingerprintOf(folder, sources);
  const stamp = join(target, stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;

  say("Building");
  rmSync(stamp, { force: true });
  const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
  const { code, output } = await runQuietly(node, [compiler, "-p", "tsconfig.build.json"], { cwd: folder });
  if (code !== 0) throw new Error(`Cannot build:\n${output.trim()}`);
  for (const name of sources.filter((name) => !isCompiled(name))) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    copyFileSync(join(source, name), join(target, name));
  }
  const wanted = new Set(sources.flatMap(outputsOf));
  for (const path of listFiles(target)) {
    if (!wanted.has(relative(target, path))) rmSync(path);
  }
  const bundled = await runQuietly(node, [bundleScript, folder], { cwd: folder });
  if (bundled.code !== 0) throw new Error(`Cannot build:\n${bundled.output.trim()}`);
  writeFileSync(stamp, fingerprint);
};

/** Builds now and after every change in src/, one build at a time, until interrupted. */
const buildOnChange = (folder, node, say) => {
  let isStale = false;
  let isBuilding = false;
  const request = async () => {
    isStale = true;
    if (isBuilding) return;
    isBuilding = true;
    while (isStale) {
      isStale = false;
      await build(folder, node, say).then(
        () => say("dist/ is up to date"),
        (error) => say(error.message),
      );
    }
    isBuilding = false;
  };
  watch(join(folder, "src"), { recursive: true }, (_, name) => {
    // The build itself writes the token table.
    if (!name?.includes("o200k.table")) request();
  });
  request();
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const say = (line) => console.error(line);
  try {
    const node = await ensureNode(folder, say);
    // `npm pack` and installs from git run this with their dependencies installed; do not replace those.
    if (!existsSync(join(folder, "node_modules", "typescript"))) await ensureDependencies(folder, node, say);
    if (process.argv.includes("--watch")) buildOnChange(folder, node, say);
    else await build(folder, node, say);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
