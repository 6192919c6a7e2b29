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
  journalBytes: entry(
    256 * mebibyte,
    16 * 1024 * mebibyte,
    "Calls and answers that one attempt of a run may write to its journal, together.",
  ),
  callsInFlight: entry(128, 1024, "Tool calls of one run that are under way at once; more wait."),
  answerBytes: entry(64 * mebibyte, 512 * mebibyte, "Size of one tool's answer."),
  argumentBytes: entry(16 * mebibyte, 256 * mebibyte, "Size of one tool call's arguments."),
  argumentValues: entry(
    100_000,
    10_000_000,
    "Fields, items and other values in one tool call's arguments, those that handles stand for included.",
  ),
  bytesInFlight: entry(
    32 * mebibyte,
    1024 * mebibyte,
    "Arguments of one run's calls that the host holds at once, and answers that the program has not read; more calls wait.",
  ),
  allBytesInFlight: entry(
    512 * mebibyte,
    64 * 1024 * mebibyte,
    "The same for all runs of one host together, as the configuration sets it; a run's first mebibyte never waits.",
  ),
  codeBytes: entry(1 * mebibyte, 16 * mebibyte, "Size of a program's text."),
  concurrentRuns: entry(5, 256, "Runs that are under way at once; more wait, and workspaces take turns."),
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

/**
 * What a server may say of itself. The largest of 189 real listings has 401 tools in 2 MB; its largest tool has 3,143 parts, 25 levels
 * and 85 kB, its longest description 13,090 characters.
 */
export const listingLimits = {
  /** Tools of one server; more are left out. */
  tools: 5000,
  /** Resources, templates and prompts of one server, each. */
  items: 10_000,
  /** Characters of a tool's or prompt's name; what has a longer one is left out. */
  nameLength: 256,
  /** Characters of a resource's address. */
  addressLength: 8192,
  /** Characters of a title, description or instruction; the rest is cut off. */
  textLength: 32 * 1024,
  /** Values within the schemas of one tool, its fields and their names included. */
  schemaParts: 10_000,
  /** Levels of nesting in a schema. */
  schemaDepth: 100,
  /** Characters of all texts and numbers within the schemas of one tool. */
  schemaLength: 512 * 1024,
  /** The same for all tools of one server together. */
  schemasParts: 400_000,
  schemasLength: 6 * mebibyte,
  /** Characters of all tools of one server with everything that is said of them; the same for its resources, templates and prompts. */
  listingLength: 8 * mebibyte,
  /** Bytes of one page of a listing, as the server sends it. */
  pageBytes: 8 * mebibyte,
  /** Values of one page: so many are parsed in about a tenth of a second. */
  pageParts: 600_000,
} as const;
