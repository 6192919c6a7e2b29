// Pseudo-random numbers that never change, so every run of the benchmark has the same data.

/** A linear congruential generator: `roll(6)` is 0 to 5. */
export const createDice = (seed) => {
  let state = seed;
  const roll = (sides) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * sides);
  };
  return { roll, pick: (values) => values[roll(values.length)] };
};
