// Recognises a package runner in a command line: what it installs, which program it starts, and which words are the program's own.
import { type FlagTable, flagTables } from "./runner-flags.js";

/** Who installs: runners of one installer get in each other's way, those of different ones do not. */
export type Installer = "npm" | "uv" | "container" | "other";

export interface RunnerCommand {
  /** As people know it: `npx`, `pnpm dlx`, `docker run`. */
  readonly runner: string;
  readonly installer: Installer;
  /** The program that was named on the command line: its folder is where the installer is. */
  readonly command: string;
  /** Packages as they are written, the program's own first; or the image. */
  readonly specs: readonly string[];
  /** The program, where it is not named by the package. */
  readonly bin?: string | undefined;
  /** Flags for the installer. */
  readonly flags: readonly string[];
  /** Words for the program. */
  readonly args: readonly string[];
  /** Why it is not certain that fetching ahead does what the runner does: the command has to be started as it is written. */
  readonly obstacle?: string | undefined;
}

interface Runner {
  readonly runner: string;
  readonly installer: Installer;
  readonly table: FlagTable;
  /** Flags count also after the package, up to `--`. */
  readonly readsAllFlags?: boolean;
  readonly obstacle?: string;
}

const other = (runner: string): Runner => ({
  runner,
  installer: "other",
  table: flagTables.others,
  obstacle: `${runner} keeps what it installs to itself`,
});

const npx: Runner = { runner: "npx", installer: "npm", table: flagTables.npm };
const uvx: Runner = { runner: "uvx", installer: "uv", table: flagTables.uv };
const npmExec: Runner = { ...npx, runner: "npm exec", readsAllFlags: true };
const container = (name: string): Runner => ({
  runner: `${name} run`,
  installer: "container",
  table: flagTables.container,
});

/** By the words that begin the command line. */
const runners: readonly (readonly [readonly string[], Runner])[] = [
  [["npx"], npx],
  [["npm", "exec"], npmExec],
  [["npm", "x"], npmExec],
  [["uvx"], uvx],
  [["uv", "tool", "run"], { ...uvx, runner: "uv tool run" }],
  [["pnpx"], other("pnpm dlx")],
  [["pnpm", "dlx"], other("pnpm dlx")],
  [["yarn", "dlx"], other("yarn dlx")],
  [["bunx"], other("bunx")],
  [["bun", "x"], other("bunx")],
  [["pipx", "run"], other("pipx run")],
  [["deno", "run"], other("deno run")],
  [["docker", "run"], container("docker")],
  [["docker", "container", "run"], container("docker")],
  [["podman", "run"], container("podman")],
  [["podman", "container", "run"], container("podman")],
];

/** `C:\tools\npx.cmd` is `npx`. */
const toProgramName = (command: string): string =>
  (command.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, "");

/** Windows needs `cmd /c` in front of what is no program of its own. */
const withoutShell = (words: readonly string[]): readonly string[] => {
  if (toProgramName(words[0] ?? "") !== "cmd") return words;
  const start = words.findIndex((word) => word.toLowerCase() === "/c");
  const isPlain = words.slice(1, Math.max(start, 1)).every((word) => /^\/[a-z]$/i.test(word));
  return start > 0 && isPlain ? words.slice(start + 1) : words;
};

interface ReadWords {
  readonly specs: string[];
  readonly extras: string[];
  readonly flags: string[];
  readonly rest: string[];
  unknown?: string;
}

const readWords = (words: readonly string[], { table, readsAllFlags = false }: Runner): ReadWords => {
  const read: ReadWords = { specs: [], extras: [], flags: [], rest: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const mayBeFlag = readsAllFlags || read.rest.length === 0;
    if (mayBeFlag && word === "--") {
      read.rest.push(...words.slice(at + 1));
      break;
    }
    if (!mayBeFlag || !word.startsWith("-") || word === "-") {
      read.rest.push(word);
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const flag = equals < 0 ? word : word.slice(0, equals);
    const meaning = Object.hasOwn(table, flag) ? table[flag] : undefined;
    if (meaning === undefined || (equals >= 0 && (meaning === "none" || meaning === "keep"))) {
      read.unknown ??= flag;
      continue;
    }
    if (meaning === "none") continue;
    if (meaning === "keep") {
      read.flags.push(flag);
      continue;
    }
    if (equals < 0) at += 1;
    const value = equals < 0 ? (words[at] ?? "") : word.slice(equals + 1);
    if (meaning === "keep value") read.flags.push(flag, value);
    if (meaning === "spec") read.specs.push(value);
    if (meaning === "extra") read.extras.push(value);
  }
  return read;
};

/** `name`, `@scope/name`, each with a version, range or tag: what a registry resolves. */
const npmSpec = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.+~^<>=|* -]*)?$/;
/** `name`, `name[extra]`, each with `==1.2` or uvx's `@1.2`. */
const pythonSpec = /^[A-Za-z0-9][\w.-]*(?:\[[\w,. -]*\])?(?:@[\w.+!-]+|[<>=!~]=?[\w.,<>=!~*+ -]+)?$/;

const isPath = (spec: string): boolean => /^[./~\\]|^[a-z]:[\\/]/i.test(spec);

const findSpecObstacle = (installer: Installer, specs: readonly string[]): string | undefined => {
  const form = installer === "npm" ? npmSpec : installer === "uv" ? pythonSpec : undefined;
  const odd = form === undefined ? undefined : specs.find((spec) => !form.test(spec) || isPath(spec));
  return odd === undefined ? undefined : `"${odd}" does not come from a registry`;
};

/** Longer words are no names of packages, and are not matched against anything. */
const maxSpecLength = 300;

/** Undefined for a command that runs nothing out of a package. */
export const parseRunner = (command: string, args: readonly string[]): RunnerCommand | undefined => {
  const words = withoutShell([command, ...args]);
  const [program = ""] = words;
  const lead = [toProgramName(program), ...words.slice(1, 3)];
  const found = runners.find(([start]) => start.every((word, at) => lead[at] === word));
  if (found === undefined) return undefined;
  const [start, runner] = found;
  const { runner: name, installer, obstacle } = runner;
  const { specs, extras, flags, rest, unknown } = readWords(words.slice(start.length), runner);
  const isNamedApart = specs.length > 0;
  const [first, ...others] = rest;
  if (first === undefined && !isNamedApart) return undefined;
  // `deno run` starts files, too.
  if (name === "deno run" && first?.startsWith("npm:") !== true) return undefined;
  const wanted = [...(isNamedApart ? specs : [first ?? ""]), ...extras];
  if (wanted.some((spec) => spec === "" || spec.length > maxSpecLength)) return undefined;
  return {
    runner: name,
    installer,
    command: program,
    specs: wanted,
    bin: isNamedApart ? first : undefined,
    flags,
    args: others,
    obstacle:
      (unknown === undefined ? undefined : `its flag "${unknown}" is not known`) ??
      obstacle ??
      (isNamedApart && first === undefined ? "it names no program" : undefined) ??
      findSpecObstacle(installer, wanted),
  };
};

/** An exact version never means anything else later; a name, a range or a tag does. */
export const isPinned = ({ installer, specs }: RunnerCommand): boolean => {
  const exact =
    installer === "npm"
      ? /.@v?\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/
      : installer === "uv"
        ? /.(?:@|==)\d[\w.!+]*$/
        : /@sha256:/;
  return specs.every((spec) => exact.test(spec));
};
