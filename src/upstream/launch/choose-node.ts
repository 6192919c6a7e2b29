// Chooses the Node that starts a package: the machine's if it fits, else the one that runs us.
import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { NodeProgram } from "./fetch-queue.js";

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
