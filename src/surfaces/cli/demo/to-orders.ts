// Generates the demo's orders, the same every time.

const cities = ["New York", "Chicago", "Los Angeles"];
const products = ["lamp", "chair", "desk", "shelf", "rug", "mirror", "clock"];
const states = ["paid", "paid", "paid", "shipped", "shipped", "returned"];

// A linear congruential generator: numbers look random but never change.
const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

/** `count` orders as CSV with a header. */
export const toOrders = (count: number): string => {
  const roll = createDice(2026);
  const pick = (values: readonly string[]): string => values[roll(values.length)] ?? "";
  const lines = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((index * 181) / count))).toISOString().slice(0, 10);
    const price = (roll(40_000) / 100 + 9.5).toFixed(2);
    return [10_001 + index, day, pick(cities), pick(products), 1 + roll(4), price, pick(states)].join(",");
  });
  return `${["order,date,city,product,quantity,price,state", ...lines].join("\n")}\n`;
};
