// All weights of the ranking. Run benchmarks/search to see the effect of a change.

/** How much a word counts in each field, and how much a long field dilutes it (0 not at all, 1 fully). */
export const fieldWeights = {
  name: { weight: 3, dilution: 0.4 },
  server: { weight: 3, dilution: 0.3 },
  /** The title and the first sentence of the description, which says what the tool does. */
  summary: { weight: 1, dilution: 0.5 },
  details: { weight: 0.7, dilution: 0.75 },
  parameterNames: { weight: 0.5, dilution: 0.75 },
  parameterTexts: { weight: 0.4, dilution: 0.75 },
  /** The user's description of the server: tells which server is meant, not which tool. */
  serverTexts: { weight: 0.5, dilution: 0.75 },
} as const;

export type FieldName = keyof typeof fieldWeights;

export const rankingWeights = {
  /** BM25's k1: how soon repetitions stop counting. */
  saturation: 1.2,
  /** The same for a server, over all its tools. */
  serverSaturation: 2,
  /** A tool's score rises by up to this share if the query has all words of its name. */
  nameCoverage: 0.45,
  /** The same for the words of its server's name. */
  serverNameCoverage: 0.3,
  /** Share of the server's own score that each of its tools receives. */
  serverContext: 0.7,
  /** Factor for a tool whose name has another kind of operation than the query. */
  otherOperation: 0.85,
  /** Factor for a tool whose name says that it takes many things, if the query is about one: "read a file", `read_multiple_files`. */
  manyForOne: 0.85,
  /** Two words that are adjacent in the query and in the tool. */
  pairInName: 0.4,
  pairInSummary: 0.24,
  /** Tools below this share of the best score are not searched for pairs. */
  pairFloor: 0.4,
  synonym: 0.55,
  /** One typo, and two. */
  oneTypo: 0.6,
  twoTypos: 0.4,
  /** "web page" for "webpage". */
  joinedWords: 0.7,
  /** "webpage" for "web page": each half. */
  splitWord: 0.35,
  /** A word inside a path or URL: a value, rarely the name of an operation. */
  insidePath: 0.2,
  /** The word "file" for a path whose extension already says more. */
  fileOfKnownKind: 0.8,
  /** Share of a task's parts in the score; the rest is the task as a whole. */
  parts: 0.6,
  /** A tool below this share of the best score is no hit: it only shares a server or a common word. */
  minScore: 0.05,
  /** A hit is weak below this share of a good score, which is computed from the values below. */
  weakShare: 0.4,
  /** Strength of a word in name and summary. */
  goodStrength: 2,
  /** Number of the rarest words that count: no tool matches more. */
  expectedWords: 5,
  /** Weight of a word that no tool uses, relative to the average word. */
  unknownWord: 1.5,
} as const;

/** How meaning adds to words. */
export const meaningWeights = {
  /** How much the words of a tool's server and name count; those of its title and description count 1. */
  server: 1,
  name: 2,
  /** What the tool with the closest meaning gets in addition, as a share of the best score by words. */
  share: 0.4,
  /** If the best score by words is below this share of a good one, words count less. */
  goodShare: 0.4,
  /** A tool that reaches this share of a good score by words gets as much as the closest, so meaning cannot overtake it. */
  exactShare: 0.8,
  /** A tool that is farther from a query gets nothing: every text has some likeness. */
  minCosine: 0.25,
  /** A tool this close to a query is no weak hit, whatever its words. Of queries for other servers, 5 % come as close. */
  closeCosine: 0.5,
  /** Parts of a task that are compared by meaning, each with all tools. */
  maxParts: 6,
} as const;
