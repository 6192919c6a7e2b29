// Experimental: the part of the npm package "microsandbox" (0.6) that the executor uses, and one virtual machine as a channel. It is not our dependency.
import type { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { CoordinatorError, type Language } from "../../../contracts/index.js";
import type { GuestChannel } from "../../host/guest-channel.js";
import { guestCommand, guestMounts } from "../guest-files.js";
import { dataLibraries } from "../python/interpreter.js";

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

export interface VirtualMachineOptions {
  readonly microsandbox: Microsandbox;
  readonly name: string;
  /** An image reference, or the folder of a root file system. */
  readonly image: string;
  readonly language: Language;
  /** Limit of one run, as passed to the guest's engine. */
  readonly memoryMb: number;
}

/** The guest's kernel, its agent and the engine itself. */
const memoryAboveLimitMb = 256;
const maxLastOutput = 4000;

/** Boots it and starts the guest. Throws SANDBOX_UNAVAILABLE if it does not boot. */
export const openVirtualMachine = async (options: VirtualMachineOptions): Promise<GuestChannel> => {
  const { language, memoryMb, name } = options;
  // Booting takes longer than importing: every machine has all data libraries imported.
  const [command = "", ...args] = guestCommand({ language, imported: dataLibraries }, memoryMb, name);
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await toBuilder(options).create();
    const handle = await sandbox.execStreamWith(command, (exec) =>
      exec.args(args).user("nobody").stdinPipe(),
    );
    return await toChannel(sandbox, handle);
  } catch (cause) {
    await sandbox?.kill().catch(() => {});
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot start the sandbox "microvm" from "${options.image}": ${toText(cause)}`,
      { cause, hint: `Try it manually for details: npx msb run ${options.image} -- ${command} --version` },
    );
  }
};

const toBuilder = ({ microsandbox, name, image, memoryMb }: VirtualMachineOptions) => {
  const builder = microsandbox.Sandbox.builder(name)
    .image(image)
    .cpus(1)
    .memory(memoryAboveLimitMb + 2 * memoryMb)
    .security("restricted")
    .disableNetwork()
    // Ends with its last process; nothing of it stays on disk.
    .ephemeral(true)
    .quietLogs()
    .disableMetricsSample();
  return guestMounts().reduce(
    (built, { source, target }) => built.volume(target, (mount) => mount.bind(source).readonly()),
    builder,
  );
};

const toChannel = async (sandbox: Sandbox, handle: ExecHandle): Promise<GuestChannel> => {
  const stdin = await handle.takeStdin();
  if (stdin === null) throw new Error("its process has no stdin");
  let onRead = (): void => {};
  const output = new Readable({ read: () => onRead() });
  const input = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      stdin.write(chunk).then(() => done(), done);
    },
  });
  input.on("error", () => {});
  let lastOutput = "";
  const listeners: (() => void)[] = [];
  const pump = async (): Promise<void> => {
    for await (const event of handle) {
      if (event.kind === "stdout") {
        const isRead = new Promise<void>((resolve) => {
          onRead = resolve;
        });
        if (!output.push(event.data)) await isRead;
      } else if (event.kind === "stderr")
        lastOutput = (lastOutput + new TextDecoder().decode(event.data)).slice(-maxLastOutput);
      else if (event.kind === "exited") break;
    }
  };
  const end = async (): Promise<void> => {
    await sandbox.kill().catch(() => {});
    for (const listener of listeners) listener();
  };
  void pump().then(end, end);
  return {
    input,
    output,
    // The machine's memory is its limit: there is nothing to watch from here.
    processId: () => undefined,
    lastOutput: () => lastOutput,
    kill: () => void sandbox.kill().catch(() => {}),
    onExit: (listener) => void listeners.push(listener),
    unref: () => {},
  };
};

const toText = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "";
