// The arguments that start one container: every wall that the runtime offers, and nothing of the machine but our own files.
import type { ContainerRuntime } from "./find-runtime.js";

/** A folder of the host that the guest may read. */
export interface ContainerMount {
  readonly source: string;
  readonly target: string;
}

/** What differs between machines: some cannot map a second user, some cannot limit by cgroups. */
export interface ContainerVariant {
  readonly hasOwnUser: boolean;
  readonly hasControlGroups: boolean;
}

export interface ContainerArgumentsOptions {
  readonly runtime: ContainerRuntime;
  readonly variant: ContainerVariant;
  readonly image: string;
  readonly name: string;
  readonly memoryMb: number;
  /** Another OCI runtime than the default one, e.g. "runsc" for gVisor. */
  readonly ociRuntime?: string | undefined;
  /** Sends frames over descriptor 3 instead of stdin and stdout. */
  readonly hasOwnWire?: boolean | undefined;
  readonly mounts: readonly ContainerMount[];
  /** The program in the container and its arguments. */
  readonly command: readonly string[];
}

/** The label of all our containers; the cleanup touches no others. */
export const containerLabel = "mcp-coordinator=guest";
const processLimit = 64;
/** For all containers of one user together, where cgroups cannot count. */
const userProcessLimit = 512;
const fileLimit = 1024;
const scratchMb = 64;

/** The arguments of `podman run` or `docker run`. */
export const toContainerArguments = (options: ContainerArgumentsOptions): readonly string[] => {
  const { runtime, variant, image, name, memoryMb, ociRuntime, hasOwnWire, mounts, command } = options;
  return [
    "run",
    "--rm",
    // A descriptor goes straight to the guest; stdin and stdout go through two processes of the runtime.
    ...(hasOwnWire === true ? ["--preserve-fds", "1", "--env", "GUEST_WIRE=3"] : ["--interactive"]),
    ...["--name", name, "--label", containerLabel, "--hostname", "guest"],
    ...["--pull", "never", "--log-driver", "none", "--stop-timeout", "0"],
    ...(ociRuntime === undefined ? [] : ["--runtime", ociRuntime]),
    ...["--network", "none", "--ipc", "none", "--read-only"],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--tmpfs", `/tmp:rw,nosuid,nodev,noexec,mode=1777,size=${scratchMb}m`, "--workdir", "/tmp"],
    ...["--ulimit", `nofile=${fileLimit}:${fileLimit}`],
    ...["--ulimit", `nproc=${userProcessLimit}:${userProcessLimit}`, "--ulimit", "core=0:0"],
    // Podman would write the host's names into /etc/hosts and make /run and /var/tmp writable.
    ...(runtime.kind === "podman" ? ["--no-hosts", "--read-only-tmpfs=false"] : []),
    ...(variant.hasOwnUser ? ["--user", "65534:65534"] : []),
    ...(variant.hasControlGroups ? toControlGroupArguments(memoryMb) : []),
    ...mounts.flatMap((mount) => ["--mount", toMount(mount)]),
    "--entrypoint",
    command[0] ?? "",
    image,
    ...command.slice(1),
  ];
};

const toControlGroupArguments = (memoryMb: number): readonly string[] => [
  "--memory",
  `${memoryMb}m`,
  // Without swap: a guest that grows is stopped, not slowed down.
  "--memory-swap",
  `${memoryMb}m`,
  "--pids-limit",
  String(processLimit),
];

/** The runtimes parse a mount as a line of CSV. */
const toMount = ({ source, target }: ContainerMount): string =>
  `type=bind,${toField(`source=${source}`)},target=${target},readonly`;

const toField = (field: string): string => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
