import { describe, expect, it } from "vitest";
import { assemble, verdicts } from "../../../../src/executors/walls/bpf-program.mjs";
import { buildSeccompFilter } from "../../../../src/executors/walls/seccomp-filter.mjs";
import { auditArchitectures } from "../../../../src/executors/walls/syscalls.mjs";
import { callOf, runFilter } from "./run-filter.js";

const refused = verdicts.fail(1);
const threadFlags = 0x003d_0f00;

describe.each(["x64", "arm64"] as const)("buildSeccompFilter() for %s", (architecture) => {
  const filter = assemble(buildSeccompFilter({ architecture, processId: 77, isJitless: false }));
  const jitless = assemble(buildSeccompFilter({ architecture, processId: 77, isJitless: true }));
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

it("buildSeccompFilter() kills the process on x32 calls of x64", () => {
  const filter = assemble(buildSeccompFilter({ architecture: "x64", processId: 1, isJitless: false }));

  expect(runFilter(filter, { architecture: auditArchitectures.x64, number: 0x4000_0000 })).toBe(
    verdicts.killProcess,
  );
});
