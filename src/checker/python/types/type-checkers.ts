// Experimental: the Python type checkers that can be used if installed. How to find, run and read each one.
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** One message that may concern our tools. Columns start at 1. */
export interface TypeMessage {
  readonly kind: "key" | "attribute" | "argument";
  readonly line: number;
  readonly column: number;
  /** The key or attribute. */
  readonly name: string;
  /** The type that lacks it. */
  readonly type?: string | undefined;
  /** For an argument: its type and the expected one. */
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
}

interface TypeChecker {
  /** Fast enough to wait for before a run. */
  readonly isFast: boolean;
  readonly arguments: readonly string[];
  /** Config files that restrict it to our folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly read: (output: string) => readonly TypeMessage[];
}

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null;
const rowOf = (value: unknown): Row => (isRow(value) ? value : {});
const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRow) : []);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Message patterns of all supported type checkers. */
const patterns: readonly (readonly [kind: TypeMessage["kind"], pattern: RegExp])[] = [
  ["key", /Unknown key "(?<name>[^"]+)" for TypedDict `(?<type>[^`]+)`/],
  ["key", /TypedDict "(?<type>[^"]*)" has no key "(?<name>[^"]+)"/],
  ["key", /"(?<name>[^"]+)" is not a defined key in "(?<type>[^"]*)"/],
  ["attribute", /Object of type `(?<type>[^`]*)` has no attribute `(?<name>\w+)`/],
  ["attribute", /^"(?<type>[^"]*)" has no attribute "(?<name>\w+)"/],
  ["attribute", /Cannot access attribute "(?<name>\w+)" for class "(?<type>[^"]*)"/],
  [
    "argument",
    /Argument to function `(?<name>\w+)` is incorrect: Expected `(?<expected>[^`]+)`, found `(?<found>[^`]+)`/,
  ],
];

const toMessages = (text: string, line: number, column: number): readonly TypeMessage[] => {
  for (const [kind, pattern] of patterns) {
    const { name, ...types } = pattern.exec(text)?.groups ?? {};
    if (name !== undefined) return [{ kind, line, column, name, ...types }];
  }
  return [];
};

const readTy = (output: string): readonly TypeMessage[] =>
  rowsOf(parse(output)).flatMap(({ description, location }) => {
    const begin = rowOf(rowOf(rowOf(location).positions).begin);
    return toMessages(String(description), Number(begin.line), Number(begin.column));
  });

const readPyright = (output: string): readonly TypeMessage[] =>
  rowsOf(rowOf(parse(output)).generalDiagnostics).flatMap(({ severity, message, range }) => {
    const start = rowOf(rowOf(range).start);
    if (severity !== "error") return [];
    return toMessages(String(message), Number(start.line) + 1, Number(start.character) + 1);
  });

const readMypy = (output: string): readonly TypeMessage[] =>
  output.split("\n").flatMap((row) => {
    const { message, line, column, severity } = rowOf(parse(row));
    if (severity !== "error") return [];
    return toMessages(String(message), Number(line), Number(column) + 1);
  });

const pyright: TypeChecker = {
  isFast: false,
  arguments: ["--outputjson", "--project", "pyrightconfig.json"],
  files: {
    "pyrightconfig.json": JSON.stringify({ include: ["program.py"], typeCheckingMode: "basic" }),
  },
  read: readPyright,
};

/** In order of preference. */
export const typeCheckers = {
  ty: {
    isFast: true,
    arguments: [
      "check",
      "--output-format",
      "gitlab",
      "--config-file",
      "ty.toml",
      "--no-progress",
      "program.py",
    ],
    files: { "ty.toml": "" },
    read: readTy,
  },
  pyright,
  basedpyright: pyright,
  mypy: {
    isFast: false,
    arguments: [
      ...[
        "--config-file",
        "mypy.ini",
        "--no-site-packages",
        "--check-untyped-defs",
        "--ignore-missing-imports",
      ],
      ...["--no-error-summary", "--cache-dir", "cache", "--output", "json", "program.py"],
    ],
    files: { "mypy.ini": "[mypy]\n" },
    read: readMypy,
  },
} as const satisfies Record<string, TypeChecker>;

type TypeCheckerName = keyof typeof typeCheckers;

export interface FoundChecker {
  readonly name: TypeCheckerName;
  readonly executable: string;
}

interface FindOptions {
  readonly wanted: "auto" | TypeCheckerName;
  /** An executable, or the folder of a virtual environment. */
  readonly interpreter?: string | undefined;
  readonly searchPath?: string | undefined;
}

const isWindows = process.platform === "win32";

const listFolders = ({
  interpreter,
  searchPath = process.env.PATH ?? "",
}: FindOptions): readonly string[] => {
  const isFolder =
    interpreter !== undefined && statSync(interpreter, { throwIfNoEntry: false })?.isDirectory() === true;
  const beside =
    interpreter === undefined || !/[/\\]/.test(interpreter)
      ? []
      : [isFolder ? join(interpreter, isWindows ? "Scripts" : "bin") : dirname(interpreter)];
  return [...beside, ...searchPath.split(delimiter)].filter((folder) => folder !== "");
};

export const findTypeChecker = (options: FindOptions): FoundChecker | undefined => {
  const names =
    options.wanted === "auto" ? (Object.keys(typeCheckers) as TypeCheckerName[]) : [options.wanted];
  const folders = listFolders(options);
  for (const name of names) {
    const executable = folders
      .map((folder) => join(folder, isWindows ? `${name}.exe` : name))
      .find((path) => existsSync(path));
    if (executable !== undefined) return { name, executable };
  }
  return undefined;
};

interface TypeRun {
  readonly checker: FoundChecker;
  /** Paths in the folder → texts; `program.py` is the program. */
  readonly files: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

const maxOutputBytes = 8 * 1024 * 1024;

/** Passes on only PATH and SystemRoot, so that no configuration of the user applies. */
const toEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  USERPROFILE: folder,
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  APPDATA: folder,
  SystemRoot: process.env.SystemRoot,
  NO_COLOR: "1",
});

const execute = (folder: string, { checker, timeoutMs }: TypeRun): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(
      checker.executable,
      [...typeCheckers[checker.name].arguments],
      {
        cwd: folder,
        env: toEnvironment(folder),
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        maxBuffer: maxOutputBytes,
        windowsHide: true,
      },
      // The exit code is non-zero if it found something. No output at all means that it failed.
      (error, stdout) => resolve(error?.killed === true || stdout === "" ? undefined : stdout),
    );
  });

/** Undefined if it did not answer, or not in time. */
export const runTypeChecker = async (run: TypeRun): Promise<readonly TypeMessage[] | undefined> => {
  const { files, read } = typeCheckers[run.checker.name];
  const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-types-"));
  try {
    for (const [path, text] of [...run.files, ...Object.entries(files)]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const output = await execute(folder, run);
    return output === undefined ? undefined : read(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
