// Every limit on a guest, with its default, hard maximum and one line of documentation.

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

/** The table of limits. docs/configuration.md is generated from it. */
export const limitTable = {
  timeoutMs: entry(30_000, 3_600_000, "Wall-clock time of one run, its tool calls included."),
  cpuMs: entry(30_000, 3_600_000, "CPU time of one run; waiting for tools costs none."),
  memoryMb: entry(256, 4096, "Memory of one run's heap, array buffers included."),
  outputBytes: entry(1 * mebibyte, 64 * mebibyte, "Total size of what one run prints and returns."),
  outputTokens: entry(
    8000,
    1_000_000,
    "Tokens that a model reads of one run; the rest is stored, and the output says how to read it.",
  ),
  calls: entry(
    10_000,
    1_000_000,
    "Tool calls that one run may make; catalog searches are counted separately.",
  ),
  journalBytes: entry(
    256 * mebibyte,
    16 * 1024 * mebibyte,
    "Total size of the calls and answers that one attempt of a run may write to its journal.",
  ),
  questions: entry(100, 10_000, "Questions that servers may ask during one attempt of a run."),
  samplingTokens: entry(
    20_000,
    1_000_000,
    "Tokens that servers may request from the client's model during one attempt of a run, if sampling is allowed.",
  ),
  watches: entry(20, 1000, "Resources that one run may watch."),
  callsInFlight: entry(128, 1024, "Tool calls that one run may have in flight at once; more wait."),
  answerBytes: entry(64 * mebibyte, 512 * mebibyte, "Size of one tool's answer."),
  argumentBytes: entry(16 * mebibyte, 256 * mebibyte, "Size of one tool call's arguments."),
  argumentValues: entry(
    100_000,
    10_000_000,
    "Fields, items and other values in one tool call's arguments, including the contents of handles.",
  ),
  bytesInFlight: entry(
    32 * mebibyte,
    1024 * mebibyte,
    "Arguments and unread answers of one run that the host holds in memory at once; more calls wait.",
  ),
  allBytesInFlight: entry(
    512 * mebibyte,
    64 * 1024 * mebibyte,
    "The same for all runs of one host together, set by the configuration only; a run's first mebibyte never waits.",
  ),
  codeBytes: entry(1 * mebibyte, 16 * mebibyte, "Size of a program."),
  concurrentRuns: entry(5, 256, "Runs in progress at once; more wait, and workspaces take turns."),
  workspaceBytes: entry(1024 * mebibyte, 1024 * 1024 * mebibyte, "Size of all files of one workspace."),
  workspaceFiles: entry(10_000, 1_000_000, "Files and folders in one workspace."),
  fileBytes: entry(128 * mebibyte, 1024 * mebibyte, "Size of one file in a workspace."),
  storedValueBytes: entry(
    64 * mebibyte,
    512 * mebibyte,
    "Size of one stored value, and of all stored values in one call's arguments.",
  ),
  storedValues: entry(1000, 1_000_000, "Stored values per workspace; the oldest are removed first."),
  storedBytes: entry(
    1024 * mebibyte,
    1024 * 1024 * mebibyte,
    "Total size of the stored values of one workspace.",
  ),
  artifacts: entry(50, 1000, "Artifacts listed in the result of one run; the oldest are dropped first."),
  memoryKeys: entry(10_000, 1_000_000, "Keys in the memory of one workspace."),
  memoryValueBytes: entry(1 * mebibyte, 64 * mebibyte, "Size of one value in memory, as JSON."),
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof limitTable;

/** How much a run may use: time, memory, calls, output. docs/configuration.md lists each limit. */
export type Limits = { readonly [Name in LimitName]: number };

/** The limits if nothing is configured. */
export const defaultLimits: Limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { default: value }]) => [name, value]),
) as Limits;

/**
 * Bounds on a server's listing. The largest of 189 real listings has 401 tools in 2 MB; its largest tool has 3,143 parts, 25 levels
 * and 85 kB, its longest description 13,090 characters.
 */
export const listingLimits = {
  /** Tools per server; more are left out. */
  tools: 5000,
  /** Resources, templates and prompts per server, each. */
  items: 10_000,
  /** Characters in the name of a tool or prompt; longer ones are left out. */
  nameLength: 256,
  /** Characters in a resource's address. */
  addressLength: 8192,
  /** Characters in a title, description or instruction; longer texts are cut. */
  textLength: 32 * 1024,
  /** Values in the schemas of one tool, including fields and their names. */
  schemaParts: 10_000,
  /** Levels of nesting in a schema. */
  schemaDepth: 100,
  /** Characters of all texts and numbers in the schemas of one tool. */
  schemaLength: 512 * 1024,
  /** The same for all tools of one server. */
  schemasParts: 400_000,
  schemasLength: 6 * mebibyte,
  /** Characters of everything a server says about its tools; the same for its resources, templates and prompts. */
  listingLength: 8 * mebibyte,
  /** Bytes of one page of a listing as sent by the server. */
  pageBytes: 8 * mebibyte,
  /** Values in one page. Parsing this many takes about a tenth of a second. */
  pageParts: 600_000,
} as const;
