// What is known of a package that was fetched: one file beside its folder, written when everything is in place.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageVersion } from "../../contracts/index.js";

export interface PackageRecord extends PackageVersion {
  /** The folder that it was installed into; none for an image. */
  readonly folder?: string | undefined;
  /** What starts it, below the folder. */
  readonly file?: string | undefined;
  /** Why there is no such file. */
  readonly obstacle?: string | undefined;
  /** `node` with these flags reads the file; otherwise the file is a program by itself. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** The versions of Node that it and what it needs accept. */
  readonly engines?: readonly string[] | undefined;
  /** Made for one version of Node: its install scripts ran. */
  readonly builtFor?: string | undefined;
  /** When its name, range or tag was last resolved. */
  readonly resolvedAtMs: number;
  /** What it was before the last update. */
  readonly before?: (PackageVersion & { readonly replacedAtMs: number }) | undefined;
}

const format = "mcp-coordinator/package/1";

const recordFile = (folder: string): string => join(folder, "record.json");

/** Variables that decide what an installer fetches, and from where. */
const decides = /registry$|^(?:uv|pip)_.*index|^(?:docker|container)_host$/i;
/** The same, where a server's own definition sets them. */
const decidesForOne = /^(?:npm_|node_|uv_|pip_|docker_|container_|xdg_|home$|userprofile$|path$)/i;

export interface PackageKey {
  readonly installer: string;
  readonly specs: readonly string[];
  readonly bin?: string | undefined;
  readonly flags: readonly string[];
  /** The installer's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What of it the server's definition says. */
  readonly defined: Readonly<Record<string, string>>;
}

/** The name of a package's folder: the same for all servers that want the same of the same registry. */
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

/** Undefined where nothing whole is there. */
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

/** Others see the record before or the one after, never half of one. */
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
