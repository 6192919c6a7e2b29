// Every number that stops a guest, with its default, its hard maximum and one line of documentation.

interface LimitEntry {
  readonly default: number;
  readonly maximum: number;
  readonly meaning: string;
}

const entry = (fallback: number, maximum: number, meaning: string): LimitEntry => ({
  default: fallback,
  maximum,
  meaning,
});

const mebibyte = 1024 * 1024;

/** The table of limits; docs/configuration.md shows the same. */
export const limitTable = {
  timeoutMs: entry(30_000, 3_600_000, "Wall-clock time of one run, its tool calls included."),
  cpuMs: entry(30_000, 3_600_000, "Processor time of one run; waiting for tools costs none."),
  memoryMb: entry(256, 4096, "Memory of one run's heap, array buffers included."),
  outputBytes: entry(1 * mebibyte, 64 * mebibyte, "What one run may print and return, together."),
  outputTokens: entry(
    8000,
    1_000_000,
    "Tokens of what a model reads of one run; the rest is kept, and told how to read.",
  ),
  calls: entry(10_000, 1_000_000, "Tool calls that one run may make; looking around is counted apart."),
  callsInFlight: entry(128, 1024, "Tool calls of one run that are under way at once; more wait."),
  answerBytes: entry(64 * mebibyte, 512 * mebibyte, "Size of one tool's answer."),
  argumentBytes: entry(16 * mebibyte, 256 * mebibyte, "Size of one tool call's arguments."),
  codeBytes: entry(1 * mebibyte, 16 * mebibyte, "Size of a program's text."),
  concurrentRuns: entry(5, 256, "Runs that are under way at once; more wait in order."),
  workspaceBytes: entry(1024 * mebibyte, 1024 * 1024 * mebibyte, "Size of all files of one workspace."),
  workspaceFiles: entry(10_000, 1_000_000, "Files and folders of one workspace."),
  fileBytes: entry(128 * mebibyte, 1024 * mebibyte, "Size of one file of a workspace."),
  keptValueBytes: entry(
    64 * mebibyte,
    512 * mebibyte,
    "Size of one kept value, and of those in one call's arguments.",
  ),
  keptValues: entry(1000, 1_000_000, "Values that one workspace keeps; the oldest go first."),
  keptBytes: entry(1024 * mebibyte, 1024 * 1024 * mebibyte, "Size of the values that one workspace keeps."),
  artifacts: entry(50, 1000, "Artifacts of one run that are told with its result; the oldest go first."),
  memoryKeys: entry(10_000, 1_000_000, "Keys that one workspace may remember."),
  memoryValueBytes: entry(1 * mebibyte, 64 * mebibyte, "Size of one remembered value, as JSON."),
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof limitTable;

export type Limits = { readonly [Name in LimitName]: number };

/** The limits with nothing configured. */
export const defaultLimits: Limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { default: value }]) => [name, value]),
) as Limits;
