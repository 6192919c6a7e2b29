// The seccomp and Landlock rules of Python guests, in the kernel's format. A guest only installs them: guest_wall/lock_down.py.
import { assemble } from "./bpf-program.mjs";
import { landlockRights, lastVersion, toRuleset } from "./landlock.mjs";
import { buildPythonFilter } from "./seccomp-filter.mjs";
import { type Architecture, numberOf, type SyscallName } from "./syscalls.mjs";

/** Installing the rules takes these. */
const usedCalls = [
  "seccomp",
  "landlock_create_ruleset",
  "landlock_add_rule",
  "landlock_restrict_self",
] as const satisfies readonly SyscallName[];

/** Stands for the guest's process id, which only the guest knows. No process has it. */
const anyProcess = 0xffff_fff0;

const { readFile, readFolder, writeFile, neverAllowed } = landlockRights;

const toFilter = (architecture: Architecture, hasOwnMounts: boolean) => {
  const program = buildPythonFilter({ architecture, processId: anyProcess, hasOwnMounts });
  return {
    filter: assemble(program).toString("base64"),
    /** Where to write the process id. */
    processIdAt: program.flatMap(({ value }, at) => (value === anyProcess ? [at * 8 + 4] : [])),
    calls: Object.fromEntries(usedCalls.map((name) => [name, numberOf(name, architecture)])),
  };
};

/** @param hasOwnMounts nothing but the guest's own /tmp is writable */
export const toPythonRules = (hasOwnMounts: boolean) => ({
  /** By machine, as Python calls it: a container's may be another than the host's. */
  machines: { x86_64: toFilter("x64", hasOwnMounts), aarch64: toFilter("arm64", hasOwnMounts) },
  /** By version of Landlock, from 1. */
  rulesets: Array.from({ length: lastVersion }, (_, at) => toRuleset(at + 1).toString("base64")),
  rights: { read: readFile | readFolder, write: 0xffff & ~neverAllowed, file: readFile | writeFile },
});
