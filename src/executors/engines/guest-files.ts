// Our files that guests load: where they are on the host, where a container mounts them, and how each language starts there.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Language } from "../../contracts/index.js";
import { toPythonRules } from "../walls/python-rules.js";
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
/** Imported before the first run, like the data libraries in the image. */
const standardLibraries = ["asyncio", "concurrent.futures", "csv", "datetime", "statistics"];

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
        JSON.stringify({ libraries: [...standardLibraries, ...imported], rules: toPythonRules(true) }),
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
