// How often tools were called, across all processes of the same person.

/** Keyed by the JSON of `[server, tool]`. Counts that cannot be read are zero; counts that cannot be written are lost. */
export interface UseCounts {
  readonly read: () => Promise<ReadonlyMap<string, number>>;
  readonly add: (more: ReadonlyMap<string, number>) => Promise<void>;
}
