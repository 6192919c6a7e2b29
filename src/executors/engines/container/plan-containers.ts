// How to start containers on this machine: determined once, by starting one without a guest and reading what the kernel says in it.
import { CoordinatorError, type Language, type Limits } from "../../../contracts/index.js";
import { guestMounts, probeCommand } from "../guest-files.js";
import type { ContainerNames } from "./container-names.js";
import {
  askRuntime,
  type ContainerRuntime,
  type ContainerVariant,
  findRuntime,
  toContainerArguments,
} from "./container-runtime.js";

/** The image that `setup container` builds. */
export const builtImage = "localhost/mcp-coordinator-guest:latest";

export interface ContainerPlan extends Walls {
  readonly runtime: ContainerRuntime;
  readonly image: string;
  readonly variant: ContainerVariant;
  readonly ociRuntime?: string | undefined;
  /** For the whole container: a guest within its own limit never reaches it. */
  readonly memoryMb: number;
  /** Languages that the image can run. */
  readonly languages: readonly Language[];
}

export interface PlanContainersOptions {
  readonly limits: Limits;
  readonly names: ContainerNames;
  readonly runtime?: string | undefined;
  readonly ociRuntime?: string | undefined;
  readonly image?: string | undefined;
}

/** Strongest first. A machine that cannot map a second user or limit by cgroups gets the next one, and its gaps are reported. */
const variants: readonly ContainerVariant[] = [
  { hasOwnUser: true, hasControlGroups: true },
  { hasOwnUser: false, hasControlGroups: true },
  { hasOwnUser: true, hasControlGroups: false },
  { hasOwnUser: false, hasControlGroups: false },
];

/** Memory of the engine itself, plus possible growth between two memory checks. */
const memoryAboveLimitMb = 256;

/** Throws SANDBOX_UNAVAILABLE, with the next step, if no container can be started. */
export const planContainers = async (options: PlanContainersOptions): Promise<ContainerPlan> => {
  const { limits, image = builtImage, ociRuntime } = options;
  const runtime = await findRuntime(options);
  await requireImage(runtime, image);
  const base = { runtime, image, memoryMb: memoryAboveLimitMb + 3 * limits.memoryMb, ociRuntime };
  const complaints: string[] = [];
  for (const variant of variants) {
    for (const language of ["typescript", "python"] as const) {
      const probe = await runProbe({ ...base, variant, language, name: options.names.next() });
      if (typeof probe === "string") {
        complaints.push(probe);
        continue;
      }
      const { facts, languages } = probe;
      const { walls, gaps } = readWalls({ ...base, facts, isRootless: runtime.isRootless });
      const engine = languages.includes("typescript") ? ["V8 isolate (TypeScript)"] : [];
      return { ...base, variant, languages, walls: [...engine, ...walls], gaps };
    }
  }
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": "${runtime.command}" starts none from "${image}": ${complaints[0]}`,
    { hint: `Start one manually for details: ${runtime.command} run --rm ${image} node --version` },
  );
};

const requireImage = async ({ command }: ContainerRuntime, image: string): Promise<void> => {
  const { isDone } = await askRuntime(command, ["image", "inspect", "--format", "{{.Id}}", image]);
  if (isDone) return;
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": there is no image "${image}"`,
    { hint: image === builtImage ? toImageFix(image) : `Run "${command} pull ${image}".` },
  );
};

/** How to get an image with everything in it. */
export const toImageFix = (image: string): string =>
  image === builtImage
    ? 'Run "mcp-coordinator setup container", or configure an image with Node and Python: "coordinator": { "container": { "image" } }.'
    : 'Configure an image with Node and Python: "coordinator": { "container": { "image" } }.';

interface ProbeOptions extends Omit<ContainerPlan, keyof Walls | "languages"> {
  readonly language: Language;
  readonly name: string;
}

interface Probe {
  readonly languages: readonly Language[];
  readonly facts: ContainerFacts;
}

/** What the kernel says inside, or why the container did not start. */
const runProbe = async ({ language, ...options }: ProbeOptions): Promise<Probe | string> => {
  const { isDone, output, complaint } = await askRuntime(
    options.runtime.command,
    toContainerArguments({
      ...options,
      mounts: guestMounts(),
      command: probeCommand(language, probedPaths),
    }),
  );
  return isDone ? (parseProbe(output) ?? "its output does not come from our probe") : complaint;
};

/** An image's own entry point may have printed something else. */
const parseProbe = (output: string): Probe | undefined => {
  try {
    const { languages, facts } = JSON.parse(output) as Partial<Probe>;
    return Array.isArray(languages) && typeof facts === "object" ? { languages, facts } : undefined;
  } catch {
    return undefined;
  }
};

/** Files of a container, by their paths in it. */
export type ContainerFacts = Readonly<Record<string, string>>;

export interface Walls {
  readonly walls: readonly string[];
  readonly gaps: readonly string[];
}

const paths = {
  status: "/proc/self/status",
  mounts: "/proc/self/mountinfo",
  network: "/proc/net/dev",
  memory: "/sys/fs/cgroup/memory.max",
  memoryOfVersionOne: "/sys/fs/cgroup/memory/memory.limit_in_bytes",
  processes: "/sys/fs/cgroup/pids.max",
  processesOfVersionOne: "/sys/fs/cgroup/pids/pids.max",
};

/** What the probe reads. */
const probedPaths: readonly string[] = Object.values(paths);

export interface ReadWallsOptions {
  readonly facts: ContainerFacts;
  readonly isRootless: boolean;
  /** The requested limit; a higher one in force does not count. */
  readonly memoryMb: number;
}

/** One line for each wall, whether it stands or not. */
export const readWalls = ({ facts, isRootless, memoryMb }: ReadWallsOptions): Walls => {
  const walls: string[] = ["own mount, process and IPC namespaces"];
  const gaps: string[] = ["the kernel is shared with the host"];
  const note = (stands: boolean, wall: string, gap: string): void => {
    if (stands) walls.push(wall);
    else gaps.push(gap);
  };
  const status = facts[paths.status] ?? "";
  // trusted: files of the kernel
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1] ?? "";
  note(hasOnlyLoopback(facts[paths.network]), "no network", "the container has a network");
  note(isRootReadOnly(facts[paths.mounts]), "read-only files", "the container's files are writable");
  note(/^0+$/.test(field("CapBnd")), "no capabilities", "some capabilities are left");
  note(field("NoNewPrivs") === "1", "no new privileges", "set-uid programs work");
  note(field("Seccomp") === "2", "seccomp", "no seccomp filter");
  note(
    field("Uid") === "65534",
    "user nobody",
    "the guest has the user id of the user who runs this program",
  );
  note(isRootless, "rootless runtime", "the runtime runs as root");
  const memory = facts[paths.memory] ?? facts[paths.memoryOfVersionOne];
  note(
    isAtMost(memory, memoryMb * 1024 * 1024),
    "cgroup memory limit",
    "no cgroup limits memory: the host checks it every 50 ms",
  );
  const processes = facts[paths.processes] ?? facts[paths.processesOfVersionOne];
  note(
    isAtMost(processes, 1024),
    "cgroup process limit",
    "no cgroup limits processes: only the user's own limit applies",
  );
  return { walls, gaps };
};

const isAtMost = (text: string | undefined, maximum: number): boolean =>
  text !== undefined && /^\d+\s*$/.test(text) && Number(text) <= maximum;

const hasOnlyLoopback = (text = ""): boolean => {
  const names = [...text.matchAll(/^[ \t]*([^\s:]+):/gm)].map(([, name]) => name);
  return text !== "" && names.every((name) => name === "lo");
};

const isRootReadOnly = (text = ""): boolean =>
  text.split("\n").some((line) => {
    const [, , , , mountPoint, options] = line.split(" ");
    return mountPoint === "/" && options?.split(",").includes("ro") === true;
  });
