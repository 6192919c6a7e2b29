// The record of a fetched package, one file next to its folder, written when the package is complete; and the Node that starts it.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { PackageVersion } from "../../contracts/index.js";

export interface PackageRecord extends PackageVersion {
  /** The folder that it is installed in; undefined for an image. */
  readonly folder?: string | undefined;
  /** The program to start, relative to the folder. */
  readonly file?: string | undefined;
  /** Why it cannot be started directly. */
  readonly obstacle?: string | undefined;
  /** Start the file with `node` and these flags; if undefined, the file is an executable. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** The Node versions that it and its dependencies accept. */
  readonly engines?: readonly string[] | undefined;
  /** Built for one Node version, because install scripts ran. */
  readonly builtFor?: string | undefined;
  /** When its name, range or tag was last resolved. */
  readonly resolvedAtMs: number;
  /** The version before the last update. */
  readonly before?: (PackageVersion & { readonly replacedAtMs: number }) | undefined;
}

const format = "mcp-coordinator/package/1";

const recordFile = (folder: string): string => join(folder, "record.json");

/** Variables that decide what an installer fetches and from where. */
const decides = /registry$|^(?:uv|pip)_.*index|^(?:docker|container)_host$/i;
/** The same, if a server's own definition sets them. */
const decidesForOne = /^(?:npm_|node_|uv_|pip_|docker_|container_|xdg_|home$|userprofile$|path$)/i;

export interface PackageKey {
  readonly installer: string;
  readonly specs: readonly string[];
  readonly bin?: string | undefined;
  readonly flags: readonly string[];
  /** The installer's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables that come from the server's definition. */
  readonly defined: Readonly<Record<string, string>>;
}

/** The name of a package's folder: shared by all servers that use the same package of the same registry. */
export const toPackageFolderName = ({ installer, specs, bin, flags, env, defined }: PackageKey): string => {
  const deciding = Object.entries(env)
    .filter(([name]) => decides.test(name) || (Object.hasOwn(defined, name) && decidesForOne.test(name)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify([installer, specs, bin, flags, deciding]));
  const readable = (specs[0] ?? "").replace(/[^\w.@-]+/g, "-").slice(0, 60);
  return `${installer}-${readable}-${hash.digest("hex").slice(0, 16)}`;
};

const isVersion = (value: unknown): value is PackageVersion =>
  typeof value === "object" &&
  value !== null &&
  ["name", "version"].every((field) => typeof (value as Record<string, unknown>)[field] === "string");

const isThere = async ({ folder, file }: PackageRecord): Promise<boolean> =>
  folder === undefined || (await stat(join(folder, file ?? "")).catch(() => undefined)) !== undefined;

/** Reads the record; undefined if the package is missing or incomplete. */
export const readRecord = async (folder: string): Promise<PackageRecord | undefined> => {
  try {
    const file = JSON.parse(await readFile(recordFile(folder), "utf8")) as PackageRecord & {
      readonly format?: unknown;
    };
    const isWhole = file.format === format && isVersion(file) && Number.isFinite(file.resolvedAtMs);
    return isWhole && (await isThere(file)) ? file : undefined;
  } catch {
    return undefined;
  }
};

/** Writes the record atomically. */
export const writeRecord = async (folder: string, record: PackageRecord): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${recordFile(folder)}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, JSON.stringify({ format, ...record }), { mode: 0o600 });
    await rename(draft, recordFile(folder));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

export const removeRecord = (folder: string): Promise<void> => rm(recordFile(folder), { force: true });

export interface NodeProgram {
  readonly path: string;
  readonly version: string;
}

/** The Node that runs us; undefined under another runtime, such as Electron or Bun. */
export const ownNode: NodeProgram = { path: process.execPath, version: process.versions.node };

const isNode = /^node/i.test(basename(process.execPath)) && process.versions.bun === undefined;

/**
 * `engines` lists the range of the package first, then those of its dependencies. The range of a
 * dependency influences the choice, but never rules out both.
 */
export const chooseNode = async (
  engines: readonly string[],
  { machine, own }: { readonly machine?: NodeProgram | undefined; readonly own: NodeProgram },
): Promise<NodeProgram> => {
  const candidates = [...(machine === undefined ? [] : [machine]), ...(isNode ? [own] : [])];
  const constraints = engines.filter((range) => range !== "*");
  const [only = own] = candidates;
  if (constraints.length === 0 || candidates.length < 2) return only;
  // Most packages have no requirement, and the start waits for this.
  const { satisfies } = await import("semver");
  const fits = ({ version }: NodeProgram, ranges: readonly string[]): boolean =>
    ranges.every((range) => satisfies(version, range, { includePrerelease: true }));
  const first = engines.slice(0, 1);
  return (
    candidates.find((node) => fits(node, engines)) ?? candidates.find((node) => fits(node, first)) ?? only
  );
};

/** The package's own range, if this Node does not satisfy it. */
export const findUnmet = async (
  [range = "*"]: readonly string[],
  { version }: NodeProgram,
): Promise<string | undefined> => {
  const { satisfies } = await import("semver");
  return satisfies(version, range, { includePrerelease: true }) ? undefined : range;
};

export const toMajor = (version: string): string => version.split(".")[0] ?? "";

const run = promisify(execFile);
const known = new Map<string, Promise<NodeProgram | undefined>>();

/** Runs a Node once to get its version. Undefined if that fails. */
export const inspectNode = (path: string): Promise<NodeProgram | undefined> => {
  if (path === ownNode.path) return Promise.resolve(ownNode);
  const inspected =
    known.get(path) ??
    run(path, ["--version"], { timeout: 10_000, windowsHide: true }).then(
      ({ stdout }) => {
        const version = /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
        return version === undefined ? undefined : { path, version };
      },
      () => undefined,
    );
  known.set(path, inspected);
  return inspected;
};
