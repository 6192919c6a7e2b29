// Every number of the ranking, in one place; benchmarks/search shows what a change does.

/** How much a word counts by where it stands, and how much a long field dilutes it (0 not at all, 1 fully). */
export const fieldWeights = {
  name: { weight: 3, dilution: 0.4 },
  server: { weight: 3, dilution: 0.3 },
  /** The title, and the description's first sentence: it says what the tool does; the rest is often manual. */
  summary: { weight: 1, dilution: 0.5 },
  details: { weight: 0.7, dilution: 0.75 },
  parameterNames: { weight: 0.5, dilution: 0.75 },
  parameterTexts: { weight: 0.4, dilution: 0.75 },
  /** What the person wrote about the server: it tells whose tools are meant, not which of them. */
  serverTexts: { weight: 0.5, dilution: 0.75 },
} as const;

export type FieldName = keyof typeof fieldWeights;

export const rankingWeights = {
  /** BM25's k1: how soon repeating a word stops counting. */
  saturation: 1.2,
  /** The same for a server, over all of its tools. */
  serverSaturation: 2,
  /** A tool's score rises by up to this share when the query names all words of its name. */
  nameCoverage: 0.45,
  /** The same for the words of its server's name. */
  serverNameCoverage: 0.3,
  /** Share of the server's own score that each of its tools receives. */
  serverContext: 0.7,
  /** Share that is left to a tool whose name speaks of another kind of operation than the query. */
  otherOperation: 0.85,
  /** Two words that stand side by side in the query and in the tool. */
  pairInName: 0.4,
  pairInSummary: 0.24,
  /** Tools below this share of the best are not looked at for such pairs. */
  pairFloor: 0.4,
  synonym: 0.55,
  /** One typing mistake, and two. */
  oneMistake: 0.6,
  twoMistakes: 0.4,
  /** "web page" for "webpage". */
  joinedWords: 0.7,
  /** "webpage" for "web page": each half. */
  splitWord: 0.35,
  /** A word inside a path or address: a value, seldom the name of an operation. */
  insidePath: 0.2,
  /** The word "file" for a path whose ending already says more. */
  fileOfKnownKind: 0.8,
  /** Share of a task's parts against the task as a whole. */
  parts: 0.6,
  /** Below this share of the best hit's score a tool is no hit: it only shares a server or a common word. */
  leastScore: 0.05,
  /** A hit is weak below this share of the score of a good answer, which is made of these: */
  weakShare: 0.4,
  /** the strength of a word that stands in name and summary, */
  goodStrength: 2,
  /** the rarest words of the query, as no tool answers to more, */
  tellingWords: 5,
  /** and a word that no tool uses, against the query's average word. */
  unknownWord: 1.5,
} as const;
