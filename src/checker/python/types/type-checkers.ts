// The supported Python type checkers: how to start each one and how to read its output.

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

export interface TypeChecker {
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

export type TypeCheckerName = keyof typeof typeCheckers;
