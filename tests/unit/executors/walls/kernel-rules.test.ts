// The seccomp programs, evaluated for every relevant system call.
import { describe, expect, it } from "vitest";
import {
  assemble,
  buildNodeFilter,
  buildPythonFilter,
  toRuleset,
  verdicts,
} from "../../../../src/executors/walls/kernel-rules.mjs";
import { auditArchitectures } from "../../../../src/executors/walls/syscalls.mjs";
import { callOf, runFilter } from "./run-filter.js";

const refused = verdicts.fail(1);
const threadFlags = 0x003d_0f00;

describe.each(["x64", "arm64"] as const)("buildNodeFilter() for %s", (architecture) => {
  const filter = assemble(buildNodeFilter({ architecture, processId: 77, isJitless: false }));
  const jitless = assemble(buildNodeFilter({ architecture, processId: 77, isJitless: true }));
  const ask = (...call: Parameters<typeof callOf> extends [unknown, ...infer Rest] ? Rest : never): number =>
    runFilter(filter, callOf(architecture, ...call));

  it("allows the wire, memory, locks and exit", () => {
    for (const name of ["read", "write", "futex", "madvise", "getrandom", "exit_group"] as const)
      expect([name, ask(name)]).toEqual([name, verdicts.allow]);
  });

  it("refuses every number without a rule", () => {
    const allowed = Array.from({ length: 512 }, (_, number) => number).filter(
      (number) =>
        runFilter(filter, { architecture: auditArchitectures[architecture], number }) === verdicts.allow,
    );

    expect(allowed.length).toBeLessThan(45);
    expect(ask("seccomp")).toBe(refused);
    expect(ask("landlock_create_ruleset")).toBe(refused);
  });

  it("allows creating threads but no processes", () => {
    expect(ask("clone", threadFlags)).toBe(verdicts.allow);
    expect(ask("clone", threadFlags | 0x0040_0000)).toBe(verdicts.allow);
    expect(ask("clone", 17)).toBe(refused);
    expect(ask("clone", threadFlags | 0x1000_0000)).toBe(refused);
    expect(ask("clone3")).toBe(verdicts.fail(38));
  });

  it("allows signals only to itself, and no change of its rights", () => {
    expect(ask("tgkill", 77, 78, 6)).toBe(verdicts.allow);
    expect(ask("tgkill", 1, 1, 9)).toBe(refused);
    expect(ask("prctl", 15)).toBe(verdicts.allow);
    expect(ask("prctl", 4)).toBe(refused);
  });

  it("lets memory become executable unless it is jitless", () => {
    const executable = callOf(architecture, "mprotect", 0, 4096, 5);
    const writable = callOf(architecture, "mmap", 0, 4096, 3);

    expect(runFilter(filter, executable)).toBe(verdicts.allow);
    expect(runFilter(jitless, executable)).toBe(refused);
    expect(runFilter(jitless, writable)).toBe(verdicts.allow);
  });

  it("kills the process on calls of another architecture", () => {
    const other = architecture === "x64" ? "arm64" : "x64";

    expect(runFilter(filter, callOf(other, "read"))).toBe(verdicts.killProcess);
  });
});

it("buildNodeFilter() kills the process on x32 calls of x64", () => {
  const filter = assemble(buildNodeFilter({ architecture: "x64", processId: 1, isJitless: false }));

  expect(runFilter(filter, { architecture: auditArchitectures.x64, number: 0x4000_0000 })).toBe(
    verdicts.killProcess,
  );
});

describe.each(["x64", "arm64"] as const)("buildPythonFilter() for %s", (architecture) => {
  const filter = assemble(buildPythonFilter({ architecture, processId: 77, hasOwnMounts: false }));
  const mounted = assemble(buildPythonFilter({ architecture, processId: 77, hasOwnMounts: true }));
  const ask = (...call: Parameters<typeof callOf> extends [unknown, ...infer Rest] ? Rest : never): number =>
    runFilter(filter, callOf(architecture, ...call));

  it("allows using files that the other walls leave, and no socket, program or mount", () => {
    for (const name of ["openat", "getdents64", "unlinkat", "pwrite64"] as const)
      expect([name, ask(name)]).toEqual([name, verdicts.allow]);
    const allowed = Array.from({ length: 512 }, (_, number) => number).filter(
      (number) =>
        runFilter(filter, { architecture: auditArchitectures[architecture], number }) === verdicts.allow,
    );
    expect(allowed.length).toBeLessThan(135);
    expect(ask("seccomp")).toBe(refused);
    expect(ask("capset")).toBe(refused);
  });

  it("allows changing modes and times of files only where all of them are the guest's own", () => {
    expect(ask("fchmodat")).toBe(refused);
    expect(runFilter(mounted, callOf(architecture, "fchmodat"))).toBe(verdicts.allow);
  });

  it("allows threads and signals of its own, and no memory that escapes its limit", () => {
    expect(ask("clone", threadFlags)).toBe(verdicts.allow);
    expect(ask("clone", 17)).toBe(refused);
    expect(ask("clone3")).toBe(verdicts.fail(38));
    expect(ask("kill", 77, 9)).toBe(verdicts.allow);
    expect(ask("kill", 1, 9)).toBe(refused);
    expect(ask("mmap", 0, 4096, 3, 0x22)).toBe(verdicts.allow);
    expect(ask("mmap", 0, 4096, 3, 0x21)).toBe(refused);
    expect(ask("ioctl", 0, 0x5412)).toBe(verdicts.fail(25));
  });
});

const toWords = (bytes: Buffer): readonly bigint[] =>
  Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readBigUInt64LE(at * 8));

it("toRuleset() removes every right that the kernel's Landlock version knows, and lists no other", () => {
  expect(toWords(toRuleset(1))).toEqual([0x1fffn]);
  expect(toWords(toRuleset(3))).toEqual([0x7fffn]);
  expect(toWords(toRuleset(4))).toEqual([0x7fffn, 3n]);
  expect(toWords(toRuleset(5))).toEqual([0xffffn, 3n]);
  expect(toWords(toRuleset(7))).toEqual([0xffffn, 3n, 3n]);
});
