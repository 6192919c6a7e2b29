// The servers of the evaluation: published packages that need no account, pinned, and how each is started on a world.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages, toPackageDoors } from "../../scripts/install-packages.mjs";
import { checkout } from "../../scripts/prepare.mjs";

const server = (name, version, more = {}) => ({ name, version, args: [], env: {}, ...more });

/** FOLDER stands for the world's folder. */
const published = {
  files: server("@modelcontextprotocol/server-filesystem", "2026.8.31", {
    args: ["FOLDER/files", "FOLDER/repository"],
  }),
  memory: server("@modelcontextprotocol/server-memory", "2026.8.31", {
    env: { MEMORY_FILE_PATH: "FOLDER/memory.jsonl" },
  }),
  everything: server("@modelcontextprotocol/server-everything", "2026.8.31"),
  database: server("@bytebase/dbhub", "1.4.0", {
    args: ["--transport", "stdio", "--dsn", "sqlite://FOLDER/shop.db"],
  }),
  git: server("@cyanheads/git-mcp-server", "2.15.3", {
    env: { MCP_TRANSPORT_TYPE: "stdio", MCP_LOG_LEVEL: "error" },
  }),
  notes: server("obsidian-mcp", "2.0.1", { args: ["FOLDER/vault"] }),
  planner: server("@kazuph/mcp-taskmanager", "1.1.1", {
    env: { TASK_MANAGER_FILE_PATH: "FOLDER/planner.json" },
  }),
  charts: server("mcp-echarts", "0.7.1"),
};

export const serverNames = Object.keys(published);
const packages = Object.values(published).map(({ name, version }) => `${name}@${version}`);
const { findFile } = toPackageDoors(packages);

/** The checkout's own copy, if it is the same version: then nothing has to be installed. */
const findPackage = ({ name, version }) => {
  const own = join(checkout, "node_modules", name);
  const manifest = join(own, "package.json");
  const isOwn = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  return isOwn ? own : findFile(name);
};

/** Installs what is missing, outside of the checkout. */
export const installServers = async (names = serverNames) => {
  const isMissing = ({ name, version }) => !existsSync(join(findPackage({ name, version }), "package.json"));
  if (names.some((name) => isMissing(published[name]))) await installPackages(packages);
};

const fill = (value, folder) => JSON.parse(JSON.stringify(value).replaceAll("FOLDER", folder));

/** Entries as under `mcpServers`; both modes start the same processes. */
export const toEntries = (folder, names = serverNames) =>
  Object.fromEntries(
    names.map((name) => {
      const { args, env, ...wanted } = published[name];
      const root = findPackage(wanted);
      const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      const script = join(root, typeof bin === "string" ? bin : Object.values(bin)[0]);
      return [
        name,
        {
          command: process.execPath,
          args: [script, ...fill(args, folder)],
          env: fill(env, folder),
          cwd: folder,
        },
      ];
    }),
  );
