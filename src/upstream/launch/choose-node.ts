// Which Node starts a package: the machine's where it fits, else the one that runs us.
import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { NodeProgram } from "./fetch-job.js";

/** The Node that runs us; none where something else embeds us, such as Electron or Bun. */
export const ownNode: NodeProgram = { path: process.execPath, version: process.versions.node };

const isNode = /^node/i.test(basename(process.execPath)) && process.versions.bun === undefined;

/**
 * `engines` holds what the package itself accepts first, then what its dependencies do. What only a dependency asks for
 * moves the choice, and never rules both out.
 */
export const chooseNode = async (
  engines: readonly string[],
  { machine, own }: { readonly machine?: NodeProgram | undefined; readonly own: NodeProgram },
): Promise<NodeProgram> => {
  const candidates = [...(machine === undefined ? [] : [machine]), ...(isNode ? [own] : [])];
  const asked = engines.filter((range) => range !== "*");
  const [only = own] = candidates;
  if (asked.length === 0 || candidates.length < 2) return only;
  // Most packages ask for nothing, and a start waits for this.
  const { satisfies } = await import("semver");
  const fits = ({ version }: NodeProgram, ranges: readonly string[]): boolean =>
    ranges.every((range) => satisfies(version, range, { includePrerelease: true }));
  const first = engines.slice(0, 1);
  return (
    candidates.find((node) => fits(node, engines)) ?? candidates.find((node) => fits(node, first)) ?? only
  );
};

/** What the package itself accepts, where this Node is not it. */
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

/** Asks a Node for its version, once. Undefined when it does not say. */
export const inspectNode = (path: string): Promise<NodeProgram | undefined> => {
  if (path === ownNode.path) return Promise.resolve(ownNode);
  const asked =
    known.get(path) ??
    run(path, ["--version"], { timeout: 10_000, windowsHide: true }).then(
      ({ stdout }) => {
        const version = /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
        return version === undefined ? undefined : { path, version };
      },
      () => undefined,
    );
  known.set(path, asked);
  return asked;
};
