// Our files inside a container: where the guests lie on the host, where they are mounted, and how each language starts.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Language } from "../../contracts/index.js";
import { findUrlModule } from "../find-url-module.js";
import { findNativeFolder } from "../os-wall/find-native-folder.js";
import type { ContainerMount } from "./container-arguments.js";

const executorsFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const executorsTarget = "/coordinator/executors";
const enginesTarget = "/coordinator/engines";
const urlTarget = "/coordinator/url.mjs";
const nativeTarget = "/coordinator/native";

/** One package for Node 24 and later, one for Node 22: the container's Node may be another than the host's. */
const enginePackages = ["isolated-vm", "isolated-vm-node22"];

/** Isolated, writes no bytecode, UTF-8 whatever the image says. */
const pythonCommand = ["python3", "-I", "-B", "-X", "utf8"];
/** Imported before the first run, as the data libraries are that the image has. */
const standardLibraries = ["asyncio", "concurrent.futures", "csv", "datetime", "statistics"];

export interface GuestKind {
  readonly language: Language;
  /** Libraries that Python programs find imported. */
  readonly imported: readonly string[];
}

/** The host's folders that a container may read: the guests' own code and the engine's binaries for every platform. */
export const guestMounts = (): readonly ContainerMount[] => {
  const require = createRequire(import.meta.url);
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

/** What the guest's process puts up around itself inside, where the machine has what it needs for that. */
const ownWalls = () => ({
  nativeFolder: nativeTarget,
  walls: findNativeFolder() === undefined ? [] : ["landlock", "seccomp"],
  isJitless: false,
  // The container is the wall; this one is a second.
  isStrict: false,
});

/** The program that is the container's first process. Its last argument, the name, lets the host know it again. */
export const guestCommand = (
  { language, imported }: GuestKind,
  memoryMb: number,
  name: string,
): readonly string[] =>
  language === "python"
    ? [
        ...pythonCommand,
        `${executorsTarget}/container/entry.py`,
        JSON.stringify([...standardLibraries, ...imported]),
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
        `${executorsTarget}/container/entry.mjs`,
        enginesTarget,
        String(memoryMb),
        urlTarget,
        JSON.stringify(ownWalls()),
        name,
      ];

/** The program that tells what the kernel says inside a container. */
export const probeCommand = (language: Language, paths: readonly string[]): readonly string[] =>
  language === "python"
    ? [...pythonCommand, `${executorsTarget}/container/probe.py`, ...paths]
    : ["node", `${executorsTarget}/container/probe.mjs`, ...paths];
