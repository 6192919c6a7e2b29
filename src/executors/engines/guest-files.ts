// Our files that guests load: where they are, where a container mounts them, how each language starts there, and the kernel's rules for Python.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Language } from "../../contracts/index.js";
import {
  assemble,
  buildPythonFilter,
  landlockRights,
  lastVersion,
  toRuleset,
} from "../walls/kernel-rules.mjs";
import { type Architecture, numberOf, type SyscallName } from "../walls/syscalls.mjs";
import { findNativeFolder } from "../walls/walls.js";
import type { ContainerMount } from "./container/container-runtime.js";

const require = createRequire(import.meta.url);

/** Where the code of all guests lies. */
export const executorsFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** The module that implements URL inside guests, whose engines have none. It has no imports: the sandbox process reads it as text. */
export const findUrlModule = (): string =>
  join(dirname(require.resolve("whatwg-url-minimum/package.json")), "dist", "whatwg-url-minimum.mjs");

const executorsTarget = "/coordinator/executors";
const enginesTarget = "/coordinator/engines";
const urlTarget = "/coordinator/url.mjs";
const nativeTarget = "/coordinator/native";
const pythonFile = `${executorsTarget}/guests/python/container_child.py`;
const nodeFile = `${executorsTarget}/guests/typescript/container-child.mjs`;

/** One package for Node 24 and later, one for Node 22: the container's Node may differ from the host's. */
const enginePackages = ["isolated-vm", "isolated-vm-node22"];

/** Isolated, writes no bytecode, UTF-8 whatever the image says. */
const pythonCommand = ["python3", "-I", "-B", "-X", "utf8"];

export interface GuestKind {
  readonly language: Language;
  /** Libraries that are already imported for Python programs. */
  readonly imported: readonly string[];
}

/** The host's folders that a container may read: the guests' code and the engine's binaries for every platform. */
export const guestMounts = (): readonly ContainerMount[] => {
  const engines = enginePackages.flatMap((name) => {
    try {
      const source = `${dirname(require.resolve(`${name}/package.json`))}/prebuilds`;
      return existsSync(source) ? [{ source, target: `${enginesTarget}/${name}` }] : [];
    } catch {
      return [];
    }
  });
  const native = findNativeFolder();
  return [
    { source: executorsFolder, target: executorsTarget },
    { source: findUrlModule(), target: urlTarget },
    ...(native === undefined ? [] : [{ source: native, target: nativeTarget }]),
    ...engines,
  ];
};

/** The walls that the guest process puts up around itself inside, where the machine supports them. */
const ownWalls = () => ({
  nativeFolder: nativeTarget,
  walls: findNativeFolder() === undefined ? [] : ["landlock", "seccomp"],
  isJitless: false,
  // The container is the wall; this is a second one.
  isStrict: false,
});

/** The command of the container's first process. The host recognizes it by its last argument, the name. */
export const guestCommand = (
  { language, imported }: GuestKind,
  memoryMb: number,
  name: string,
): readonly string[] =>
  language === "python"
    ? [
        ...pythonCommand,
        pythonFile,
        JSON.stringify({ libraries: imported, rules: toPythonRules(true) }),
        name,
      ]
    : [
        "node",
        "--no-node-snapshot",
        "--no-warnings",
        "--permission",
        "--allow-addons",
        "--allow-fs-read=/coordinator/*",
        "--allow-fs-read=/lib/ld-musl*",
        nodeFile,
        enginesTarget,
        String(memoryMb),
        urlTarget,
        JSON.stringify(ownWalls()),
        name,
      ];

/** The program that reports what the kernel says inside a container. */
export const probeCommand = (language: Language, paths: readonly string[]): readonly string[] => [
  ...(language === "python" ? [...pythonCommand, pythonFile] : ["node", nodeFile]),
  "probe",
  ...paths,
];

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
