// Derives the walls in force and the gaps from what the kernel says inside a container. No flag is taken on trust.

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
export const probedPaths: readonly string[] = Object.values(paths);

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

const isAtMost = (text: string | undefined, most: number): boolean =>
  text !== undefined && /^\d+\s*$/.test(text) && Number(text) <= most;

const hasOnlyLoopback = (text = ""): boolean => {
  const names = [...text.matchAll(/^[ \t]*([^\s:]+):/gm)].map(([, name]) => name);
  return text !== "" && names.every((name) => name === "lo");
};

const isRootReadOnly = (text = ""): boolean =>
  text.split("\n").some((line) => {
    const [, , , , mountPoint, options] = line.split(" ");
    return mountPoint === "/" && options?.split(",").includes("ro") === true;
  });
