// Bundles the modules of dist/ into a few files in dist/bundle/: finding and reading hundreds of small files is most of a cold start.
// Only our own code: dependencies stay packages that npm can update and audit. Argument: the checkout.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const dist = join(folder, "dist");
// The checkout that is built, which may differ from this script's.
const { rolldown } = await import(
  pathToFileURL(join(folder, "node_modules", "rolldown", "dist", "index.mjs")).href
);

const frameworks = ["ai-sdk", "langchain", "openai-agents"];
const programEntries = {
  index: join(dist, "index.js"),
  cli: join(dist, "surfaces", "cli", "main.js"),
  ...Object.fromEntries(frameworks.map((name) => [name, join(dist, "surfaces", "frameworks", `${name}.js`)])),
};

/** Other processes and a thread. They are bundled on their own, so that they load only what they use. */
const childEntries = {
  "checker-child": join(dist, "coordinator", "checks", "checker-child.js"),
  "fetch-child": join(dist, "coordinator", "servers", "fetch-child.js"),
  "refresh-child": join(dist, "coordinator", "servers", "refresh-child.js"),
  "hide-worker": join(dist, "coordinator", "policies", "hide-worker.js"),
};

/** What is loaded together: by every command, by `serve` before it lists its tools, by the first run. One file each, because each file costs time. */
const stages = {
  base: ["surfaces/cli/main.js"],
  start: [
    "surfaces/cli/commands/serve.js",
    "surfaces/mcp-server/index.js",
    "coordinator/index.js",
    "coordinator/host/stay-current.js",
    "coordinator/servers/outline-catalog.js",
  ],
  run: ["coordinator/checks/checker.js", "coordinator/host/open-host.js", "coordinator/verbs.js"],
};

/** A module that looks for files next to itself still finds them from the bundle. */
const keepModuleAddresses = {
  name: "keep-module-addresses",
  transform: (code, id) => {
    if (!id.startsWith(dist + sep) || !code.includes("import.meta.url")) return;
    const address = `new URL(${JSON.stringify(`../${relative(dist, id).split(sep).join("/")}`)}, import.meta.url).href`;
    return { code: code.replaceAll("import.meta.url", address), map: null };
  },
};

/** Finds the first stage that loads each module. */
const openStages = () => {
  const imports = new Map();
  const stageOf = new Map();
  return {
    stageOf,
    plugin: {
      name: "stages",
      moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
      buildEnd: () => {
        for (const [stage, roots] of Object.entries(stages)) {
          const loaded = new Set(roots.map((root) => join(dist, root)));
          for (const id of loaded) {
            if (!stageOf.has(id)) stageOf.set(id, stage);
            for (const imported of imports.get(id) ?? []) loaded.add(imported);
          }
        }
      },
    },
  };
};

const writeBundle = async (entries, { stageOf, plugin } = {}) => {
  // Tests build checkouts of a few files.
  const input = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
  if (Object.keys(input).length === 0) return;
  const isEntry = new Set(Object.values(input));
  const bundle = await rolldown({
    input,
    platform: "node",
    external: (id) => !/^[./]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id),
    // Only entries do something when they are loaded, so a start loads just the parts that it uses.
    treeshake: { moduleSideEffects: (id) => !id.startsWith(dist + sep) || isEntry.has(id) },
    preserveEntrySignatures: "allow-extension",
    plugins: [keepModuleAddresses, plugin],
  });
  await bundle.write({
    dir: join(dist, "bundle"),
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: stageOf === undefined || {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "stages", name: (id) => (isEntry.has(id) ? null : (stageOf.get(id) ?? null)) }],
    },
  });
};

await writeBundle(programEntries, openStages());
await writeBundle(childEntries);
