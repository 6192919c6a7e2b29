// Recognizes a package runner in a command line: what it installs, which program it starts, and the program's arguments.

/**
 * How a flag of a package runner affects fetching in advance. `none` has no effect. `pass` is passed to the installer. `spec`
 * names a package, `extra` an additional package. With `value`, the next word is the flag's value; `spec` and `extra` have one too.
 */
type FlagMeaning = "none" | "none value" | "pass" | "pass value" | "spec" | "extra";

type FlagTable = Readonly<Record<string, FlagMeaning>>;

const toTable = (flags: Partial<Readonly<Record<FlagMeaning, string>>>): FlagTable =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([meaning, names]) =>
      names.split(/\s+/).map((name) => [name, meaning as FlagMeaning]),
    ),
  );

const flagTables = {
  npm: toTable({
    none: `-y --yes -q --quiet -s --silent --prefer-online --prefer-offline --no-audit --no-fund --no-update-notifier
      --no-progress`,
    "none value": "--loglevel",
    pass: "--ignore-scripts --legacy-peer-deps",
    "pass value": "--registry",
    spec: "-p --package",
  }),
  uv: toTable({
    none: "-q --quiet --no-progress",
    pass: "--native-tls --no-cache -n",
    "pass value": `-p --python --index --default-index -i --index-url --extra-index-url --index-strategy --prerelease
      --exclude-newer`,
    spec: "--from",
    extra: "--with",
  }),
  container: toTable({
    none: `-i -t -d -P -it -ti --rm --init --interactive --tty --detach --privileged --read-only --publish-all
      --no-healthcheck --sig-proxy`,
    "none value": `-e -v -p -w -u -h -l -m -c --env --env-file --volume --mount --publish --workdir --user --hostname --label
      --memory --name --network --net --add-host --entrypoint --cap-add --cap-drop --security-opt --cpus --gpus --tmpfs --dns
      --ulimit --shm-size --ipc --pid --userns --group-add --device --expose --link --log-driver --restart --stop-signal
      --volumes-from --pids-limit --memory-swap --runtime --cgroupns --init-path --add-dir`,
    "pass value": "--platform",
  }),
  pnpm: toTable({
    none: "-s --silent --color --no-color",
    "none value": "--reporter --loglevel",
    "pass value": "--registry",
    spec: "--package",
  }),
  yarn: toTable({ none: "-q --quiet", spec: "-p --package" }),
  bun: toTable({ none: "-y --yes --silent --verbose", spec: "-p --package" }),
  pipx: toTable({
    none: "-q --quiet -v --verbose --no-cache",
    "pass value": "--python -i --index-url",
    spec: "--spec",
  }),
  /** Only the package is read: the command is always started as written. */
  deno: toTable({
    none: `-q --quiet -A -N -R -W -E -S -P -r --reload --no-prompt --allow-all --allow-net --allow-read --allow-write --allow-env
      --allow-run --allow-sys --allow-ffi --no-check --no-lock --no-config --cached-only`,
    "none value": "-c --config --import-map --cert --location --seed -L --log-level",
  }),
};

/** The tool that installs. Runners of the same installer conflict with each other. */
export type Installer = "npm" | "uv" | "container" | "other";

export interface RunnerCommand {
  /** Its common name: `npx`, `pnpm dlx`, `docker run`. */
  readonly runner: string;
  readonly installer: Installer;
  /** The runner's program as written. The installer is in the same folder. */
  readonly command: string;
  /** The packages as written, the program's own first; or the image. */
  readonly specs: readonly string[];
  /** The program, if it is not named after the package. */
  readonly bin?: string | undefined;
  /** Flags for the installer. */
  readonly flags: readonly string[];
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** The runner has its own rules for install scripts: we run none, and leave packages that have some to it. */
  readonly leavesScripts?: boolean | undefined;
  /** Why a direct start might differ from the runner's. Then the command is started as written. */
  readonly obstacle?: string | undefined;
}

interface Runner extends Pick<RunnerCommand, "leavesScripts"> {
  readonly runner: string;
  readonly installer: Installer;
  readonly table: FlagTable;
  /** Flags are also recognized after the package, up to `--`. */
  readonly readsAllFlags?: boolean | undefined;
  readonly obstacle?: string | undefined;
}

const npx: Runner = { runner: "npx", installer: "npm", table: flagTables.npm };
const uvx: Runner = { runner: "uvx", installer: "uv", table: flagTables.uv };
const npmExec: Runner = { ...npx, runner: "npm exec", readsAllFlags: true };
/** npm installs the same packages as these runners. */
const likeNpm = (runner: string, table: FlagTable): Runner => ({
  runner,
  installer: "npm",
  table,
  leavesScripts: true,
});
const pnpmDlx = likeNpm("pnpm dlx", flagTables.pnpm);
const bunx = likeNpm("bunx", flagTables.bun);
const container = (name: string): Runner => ({
  runner: `${name} run`,
  installer: "container",
  table: flagTables.container,
});

/** Keyed by the first words of the command line. */
const runners: readonly (readonly [readonly string[], Runner])[] = [
  [["npx"], npx],
  [["npm", "exec"], npmExec],
  [["npm", "x"], npmExec],
  [["uvx"], uvx],
  [["uv", "tool", "run"], { ...uvx, runner: "uv tool run" }],
  [["pipx", "run"], { runner: "pipx run", installer: "uv", table: flagTables.pipx }],
  [["pnpx"], pnpmDlx],
  [["pnpm", "dlx"], pnpmDlx],
  [["yarn", "dlx"], likeNpm("yarn dlx", flagTables.yarn)],
  [["bunx"], bunx],
  [["bun", "x"], bunx],
  [
    ["deno", "run"],
    {
      runner: "deno run",
      installer: "other",
      table: flagTables.deno,
      obstacle: "Deno manages its permissions",
    },
  ],
  [["docker", "run"], container("docker")],
  [["docker", "container", "run"], container("docker")],
  [["podman", "run"], container("podman")],
  [["podman", "container", "run"], container("podman")],
];

/** `C:\tools\npx.cmd` is `npx`. */
export const toProgramName = (command: string): string =>
  (command.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, "");

/** Windows needs `cmd /c` before scripts. */
const withoutShell = (words: readonly string[]): readonly string[] => {
  if (toProgramName(words[0] ?? "") !== "cmd") return words;
  const start = words.findIndex((word) => word.toLowerCase() === "/c");
  const isPlain = words.slice(1, Math.max(start, 1)).every((word) => /^\/[a-z]$/i.test(word));
  return start > 0 && isPlain ? words.slice(start + 1) : words;
};

/** Splits a flag from a value in the same word. */
const splitFlag = (word: string): readonly [flag: string, value: string | undefined] => {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
};

const meaningOf = (table: FlagTable, flag: string): FlagMeaning | undefined =>
  Object.hasOwn(table, flag) ? table[flag] : undefined;

const takesValue = (meaning: FlagMeaning): boolean => meaning !== "none" && meaning !== "pass";

/** The words after the runner's own, if the command line matches it. Flags may come early: `pnpm --silent dlx`. */
const readAfter = (
  [program = "", ...words]: readonly string[],
  [name, ...verbs]: readonly string[],
  { table }: Runner,
): readonly string[] | undefined => {
  if (toProgramName(program) !== name) return undefined;
  if (verbs.length === 0) return words;
  let at = 0;
  for (;;) {
    const [flag, value] = splitFlag(words[at] ?? "");
    const meaning = meaningOf(table, flag);
    if (meaning === undefined) break;
    at += value === undefined && takesValue(meaning) ? 2 : 1;
  }
  if (!verbs.every((verb, index) => words[at + index] === verb)) return undefined;
  return [...words.slice(0, at), ...words.slice(at + verbs.length)];
};

interface ReadWords {
  readonly specs: string[];
  readonly extras: string[];
  readonly flags: string[];
  readonly rest: string[];
  unknown?: string | undefined;
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
    const [flag, inline] = splitFlag(word);
    const meaning = meaningOf(table, flag);
    if (meaning === undefined || (inline !== undefined && !takesValue(meaning))) {
      read.unknown ??= flag;
      continue;
    }
    if (meaning === "pass") read.flags.push(flag);
    if (!takesValue(meaning)) continue;
    if (inline === undefined) at += 1;
    const value = inline ?? words[at] ?? "";
    if (meaning === "pass value") read.flags.push(flag, value);
    if (meaning === "spec") read.specs.push(value);
    if (meaning === "extra") read.extras.push(value);
  }
  return read;
};

/** `name` or `@scope/name`, with an optional version, range or tag. */
const npmSpec = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.+~^<>=|* -]*)?$/;
/** `name` or `name[extra]`, with an optional `==1.2` or uvx's `@1.2`. */
const pythonSpec = /^[A-Za-z0-9][\w.-]*(?:\[[\w,. -]*\])?(?:@[\w.+!-]+|[<>=!~]=?[\w.,<>=!~*+ -]+)?$/;

const isPath = (spec: string): boolean => /^[./~\\]|^[a-z]:[\\/]/i.test(spec);

const findSpecObstacle = ({ runner, installer }: Runner, specs: readonly string[]): string | undefined => {
  const form = installer === "npm" ? npmSpec : installer === "uv" ? pythonSpec : undefined;
  const isOdd = (spec: string): boolean =>
    form?.test(spec) === false ||
    isPath(spec) || // pip writes an address after it.
    (runner === "pipx run" && spec.includes("@"));
  const odd = form === undefined ? undefined : specs.find(isOdd);
  return odd === undefined ? undefined : `"${odd}" does not come from a registry`;
};

/** Longer words are not package names and are not matched. */
const maxSpecLength = 300;

/** Returns undefined if the command is not a package runner. */
export const parseRunner = (command: string, args: readonly string[]): RunnerCommand | undefined => {
  const words = withoutShell([command, ...args]);
  const [program = ""] = words;
  const found = runners
    .map(([start, runner]) => ({ runner, after: readAfter(words, start, runner) }))
    .find(({ after }) => after !== undefined);
  if (found?.after === undefined) return undefined;
  const { runner, after } = found;
  const { runner: name, installer, obstacle, leavesScripts } = runner;
  const { specs, extras, flags, rest, unknown } = readWords(after, runner);
  const isNamedApart = specs.length > 0;
  const [first, ...others] = rest;
  if (first === undefined && !isNamedApart) return undefined;
  // `deno run` also starts files.
  if (name === "deno run" && first !== undefined && !/^(?:npm|jsr):/.test(first)) return undefined;
  const wanted = [...(isNamedApart ? specs : [first ?? ""]), ...extras];
  if (wanted.some((spec) => spec === "" || spec.length > maxSpecLength)) return undefined;
  return {
    runner: name,
    installer,
    command: program,
    specs: wanted,
    bin: isNamedApart ? first : undefined,
    flags: leavesScripts === true ? [...flags, "--ignore-scripts"] : flags,
    leavesScripts,
    args: others,
    obstacle:
      (unknown === undefined ? undefined : `its flag "${unknown}" is unknown`) ??
      obstacle ??
      (isNamedApart && first === undefined ? "it names no program" : undefined) ??
      findSpecObstacle(runner, wanted),
  };
};

/** Whether the spec is an exact version. Names, ranges and tags can resolve differently later. */
export const isPinned = ({ installer, specs }: RunnerCommand): boolean => {
  const exact =
    installer === "npm"
      ? /.@v?\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/
      : installer === "uv"
        ? /.(?:@|==)\d[\w.!+]*$/
        : /@sha256:/;
  return specs.every((spec) => exact.test(spec));
};

/** `@scope/name@1.2` is `@scope/name`. */
export const toPackageName = (spec: string): string => {
  const end = spec.indexOf("@", 1);
  return end < 0 ? spec : spec.slice(0, end);
};
