// Experimental: the part of the npm package "microsandbox" (0.6) that the executor uses, and how it is found. It is not our dependency.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CoordinatorError } from "../../../contracts/index.js";

export interface MountBuilder {
  readonly bind: (hostPath: string) => MountBuilder;
  readonly readonly: () => MountBuilder;
}

export interface SandboxBuilder {
  readonly image: (image: string) => SandboxBuilder;
  readonly cpus: (count: number) => SandboxBuilder;
  readonly memory: (mebibytes: number) => SandboxBuilder;
  readonly security: (profile: string) => SandboxBuilder;
  readonly disableNetwork: () => SandboxBuilder;
  readonly ephemeral: (isEphemeral: boolean) => SandboxBuilder;
  readonly quietLogs: () => SandboxBuilder;
  readonly disableMetricsSample: () => SandboxBuilder;
  readonly volume: (guestPath: string, configure: (mount: MountBuilder) => MountBuilder) => SandboxBuilder;
  readonly create: () => Promise<Sandbox>;
}

export interface ExecOptionsBuilder {
  readonly args: (args: string[]) => ExecOptionsBuilder;
  readonly user: (user: string) => ExecOptionsBuilder;
  readonly stdinPipe: () => ExecOptionsBuilder;
}

export type ExecEvent =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "stdout" | "stderr"; readonly data: Uint8Array }
  | { readonly kind: "exited"; readonly code: number };

export interface ExecHandle extends AsyncIterable<ExecEvent> {
  readonly takeStdin: () => Promise<{ readonly write: (data: Uint8Array) => Promise<void> } | null>;
}

export interface Sandbox {
  readonly execStreamWith: (
    command: string,
    configure: (options: ExecOptionsBuilder) => ExecOptionsBuilder,
  ) => Promise<ExecHandle>;
  readonly kill: () => Promise<void>;
}

export interface Microsandbox {
  readonly Sandbox: { readonly builder: (name: string) => SandboxBuilder };
}

export interface FindMicrosandboxOptions {
  /** Where to look for the package after our own folder. @default the working folder */
  readonly packageFolder?: string | undefined;
}

const packageName = "microsandbox";

/** The package's entry file; undefined if it is not installed. */
export const findMicrosandbox = ({
  packageFolder = process.cwd(),
}: FindMicrosandboxOptions = {}): string | undefined => {
  for (const from of [import.meta.url, pathToFileURL(join(packageFolder, "package.json"))]) {
    try {
      return createRequire(from).resolve(packageName);
    } catch {
      // Not there: try the next place.
    }
  }
  return undefined;
};

/** Loads it; throws SANDBOX_UNAVAILABLE if it is not installed or not for this platform. */
export const loadMicrosandbox = (options: FindMicrosandboxOptions = {}): Microsandbox => {
  const file = findMicrosandbox(options);
  if (file === undefined)
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox "microvm": the package "${packageName}" is not installed`,
      { hint: `Run "npm install ${packageName}@0.6".` },
    );
  try {
    // Loaded by path: every imported package name must be a declared dependency, and this one is not.
    return createRequire(file)(file) as Microsandbox;
  } catch (cause) {
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox "microvm": the package "${packageName}" does not load on ${process.platform}-${process.arch}`,
      { cause, hint: `Run "npm install ${packageName}@0.6 --include=optional" on this machine.` },
    );
  }
};
