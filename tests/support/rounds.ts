// How often a test repeats what depends on chance: a few times normally, many times in a soak run (`TEST_SOAK=1 npm test`).

/** The number of rounds of this run. */
export const rounds = (usual: number, soak: number): number => (process.env.TEST_SOAK === "1" ? soak : usual);
