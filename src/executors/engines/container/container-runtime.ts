// The container runtime: finds Podman or Docker, runs their short commands, and lists the arguments that start a walled container.
import { basename } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";
import { type CommandResult, runCommand } from "../../host/run-command.js";

export interface ContainerRuntime {
  readonly kind: "podman" | "docker";
  readonly command: string;
  /** It runs without root: an escape from a container ends as an ordinary user. */
  readonly isRootless: boolean;
  /** It can pass a descriptor of ours to a container, past its own client. */
  readonly canPassDescriptors: boolean;
}

export interface FindRuntimeOptions {
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string | undefined;
}

const infoFormats = {
  podman: "rootless={{.Host.Security.Rootless}} remote={{.Host.ServiceIsRemote}}",
  docker: "{{.ServerVersion}} {{json .SecurityOptions}}",
};

/** Asks each candidate. If none can run containers, throws SANDBOX_UNAVAILABLE with their answers. */
export const findRuntime = async ({ runtime }: FindRuntimeOptions = {}): Promise<ContainerRuntime> => {
  /** Answer → the commands that gave it. */
  const complaints = new Map<string, string[]>();
  for (const command of runtime === undefined ? ["podman", "docker"] : [runtime]) {
    const kind = basename(command).startsWith("docker") ? "docker" : "podman";
    const info = await askRuntime(command, ["info", "--format", infoFormats[kind]]);
    // A Docker client without its daemon exits with 0 and prints nothing.
    if (info.isDone && info.output.trim() !== "")
      return {
        kind,
        command,
        isRootless: /rootless=true|name=rootless/.test(info.output),
        canPassDescriptors: info.output.includes("remote=false"),
      };
    const complaint = info.complaint || "no answer";
    complaints.set(complaint, [...(complaints.get(complaint) ?? []), command]);
  }
  const answers = [...complaints].map(([complaint, commands]) => `${commands.join(", ")}: ${complaint}`);
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": no container runtime answers (${answers.join("; ")})`,
    { hint: "Install Podman (it needs no daemon and no root), or start Docker." },
  );
};

/** The runtimes need these variables; they see nothing else of the host's environment. */
const passedVariables = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SYSTEMROOT",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
  "DOCKER_CONTEXT",
  "DOCKER_CONFIG",
  "CONTAINER_HOST",
  "CONTAINERS_CONF",
  "CONTAINERS_STORAGE_CONF",
];

/** The environment of the runtime's own command; none of it reaches a container. */
export const runtimeEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    passedVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Runs one of the runtime's own commands. */
export const askRuntime = (command: string, args: readonly string[]): Promise<CommandResult> =>
  runCommand(command, args, { environment: runtimeEnvironment(), timeoutMs: 60_000 });

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
