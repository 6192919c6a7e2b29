// How often tools were called, over every process of the same person.

/** By the JSON of `[server, tool]`. What it cannot read counts as zero; what it cannot write is lost. */
export interface UseCounts {
  readonly read: () => Promise<ReadonlyMap<string, number>>;
  readonly add: (more: ReadonlyMap<string, number>) => Promise<void>;
}
