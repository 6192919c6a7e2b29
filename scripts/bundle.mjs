// Bundles the modules of dist/ into a few files in dist/bundle/: finding and reading hundreds of small files is most of a cold start.
// Only our own code: dependencies stay packages that npm can update and audit. Argument: the checkout.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const dist = join(folder, "dist");
// Of the checkout that is built, which may be another one than this script's.
const { rolldown } = await import(
  pathToFileURL(join(folder, "node_modules", "rolldown", "dist", "index.mjs")).href
);

const frameworks = ["ai-sdk", "langchain", "openai-agents"];
const entries = {
  index: join(dist, "index.js"),
  // A separate process: see src/coordinator/checks/checker-process.ts.
  "checker-child": join(dist, "coordinator", "checks", "checker-child.js"),
  // Also a separate process: see src/upstream/launch/fetch-queue.ts.
  "fetch-child": join(dist, "coordinator", "servers", "fetch-child.js"),
  "refresh-child": join(dist, "coordinator", "servers", "refresh-child.js"),
  // A thread: see src/coordinator/policies/hide-in-worker.ts.
  "hide-worker": join(dist, "coordinator", "policies", "hide-worker.js"),
  cli: join(dist, "surfaces", "cli", "main.js"),
  ...Object.fromEntries(frameworks.map((name) => [name, join(dist, "surfaces", "frameworks", `${name}.js`)])),
};

const isEntry = new Set(Object.values(entries));

/** A module that looks for files next to itself still finds them from the bundle. */
const keepModuleAddresses = {
  name: "keep-module-addresses",
  transform: (code, id) => {
    if (!id.startsWith(dist + sep) || !code.includes("import.meta.url")) return;
    const address = `new URL(${JSON.stringify(`../${relative(dist, id).split(sep).join("/")}`)}, import.meta.url).href`;
    return { code: code.replaceAll("import.meta.url", address), map: null };
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
  platform: "node",
  external: (id) => !/^[./]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id),
  // Only entries do something when they are loaded, so a start loads just the parts that it uses.
  treeshake: { moduleSideEffects: (id) => !id.startsWith(dist + sep) || isEntry.has(id) },
  plugins: [keepModuleAddresses],
});
await bundle.write({ dir: join(dist, "bundle"), format: "esm", chunkFileNames: "[name]-[hash].js" });
