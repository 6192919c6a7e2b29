// A wall is reported only if the kernel confirms it.
import { describe, expect, it } from "vitest";
import {
  type ContainerFacts,
  readWalls,
} from "../../../../src/executors/engines/container/plan-containers.js";

const strong: ContainerFacts = {
  "/proc/self/status": [
    "Name:\tnode",
    "Uid:\t65534\t65534\t65534\t65534",
    "CapBnd:\t0000000000000000",
    "NoNewPrivs:\t1",
    "Seccomp:\t2",
  ].join("\n"),
  "/proc/self/mountinfo":
    "100 99 0:1 / / ro,relatime - overlay overlay rw\n101 100 0:2 / /tmp rw - tmpfs tmpfs rw",
  "/proc/net/dev": "Inter-|   Receive  |  Transmit\n face |bytes |bytes\n    lo:  0  0\n",
  "/sys/fs/cgroup/memory.max": "536870912\n",
  "/sys/fs/cgroup/pids.max": "64\n",
};
const read = (changes: ContainerFacts = {}, isRootless = true) =>
  readWalls({ facts: { ...strong, ...changes }, isRootless, memoryMb: 512 });

describe("readWalls()", () => {
  it("reports all walls and one gap of a container that has everything", () => {
    expect(read()).toEqual({
      walls: [
        "own mount, process and IPC namespaces",
        "no network",
        "read-only files",
        "no capabilities",
        "no new privileges",
        "seccomp",
        "user nobody",
        "rootless runtime",
        "cgroup memory limit",
        "cgroup process limit",
      ],
      gaps: ["the kernel is shared with the host"],
    });
  });

  it.each([
    ["/proc/net/dev", "face |bytes\n lo: 0\n eth0: 0\n", "the container has a network"],
    ["/proc/net/dev", "", "the container has a network"],
    [
      "/proc/self/mountinfo",
      "100 99 0:1 / / rw,relatime - overlay overlay rw",
      "the container's files are writable",
    ],
    ["/sys/fs/cgroup/memory.max", "max\n", "no cgroup limits memory: the host checks it every 50 ms"],
    [
      "/sys/fs/cgroup/memory.max",
      "9223372036854771712",
      "no cgroup limits memory: the host checks it every 50 ms",
    ],
    ["/sys/fs/cgroup/pids.max", "max\n", "no cgroup limits processes: only the user's own limit applies"],
  ])("reports a gap when %s is %j", (path, text, gap) => {
    expect(read({ [path]: text }).gaps).toContain(gap);
  });

  it("reports a gap for everything that it cannot read", () => {
    const { walls, gaps } = readWalls({ facts: {}, isRootless: false, memoryMb: 512 });

    expect(walls).toEqual(["own mount, process and IPC namespaces"]);
    expect(gaps).toHaveLength(10);
  });

  it("reads the limits of both cgroup versions", () => {
    const { "/sys/fs/cgroup/memory.max": memory, "/sys/fs/cgroup/pids.max": pids, ...others } = strong;
    const facts = {
      ...others,
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": memory ?? "",
      "/sys/fs/cgroup/pids/pids.max": pids ?? "",
    };

    expect(readWalls({ facts, isRootless: true, memoryMb: 512 }).gaps).toEqual([
      "the kernel is shared with the host",
    ]);
  });
});
