// The goals of our own sandboxes.

const goals = {
  "isolate typescript": { freshMs: 2, pooledMs: 0.5, runsPerSecond: 400, computeRatio: 1.2 },
  "wasm typescript": { freshMs: 2 },
  "python python": { freshMs: 6, pooledMs: 1 },
  "python + pandas python": { freshMs: 6, pooledMs: 1 },
  "container typescript": { freshMs: 5 },
  "container python": { freshMs: 5 },
  "container + pandas python": { freshMs: 5 },
};
const ofAll = { callUs: 100, jsonRatio: 2.5 };
const titles = {
  freshMs: ["fresh run back to back, p50", "ms"],
  pooledMs: ["fresh run from the pool, p50", "ms"],
  callUs: ["one call above a host function", "µs"],
  jsonRatio: ["10 MB JSON in, against stringify + parse", "x"],
  runsPerSecond: ["fresh runs a second, 5 in flight", "/s"],
  computeRatio: ["compute, against plain Node or Python", "x"],
};

/** One row for each figure of a sandbox that has a goal, and one for its behavior. */
export const listGoals = ({ engine: { name, language }, speed = {}, wrongs }) => {
  const wanted = Object.entries({ ...goals[`${name} ${language}`], ...ofAll });
  const right = [...wrongs.values()].filter((wrong) => wrong === undefined).length;
  return [
    ...wanted
      .filter(([figure]) => speed[figure] !== undefined)
      .map(([figure, goal]) => {
        const [title, unit] = titles[figure];
        const isMet = figure === "runsPerSecond" ? speed[figure] >= goal : speed[figure] <= goal;
        return {
          what: `${name}, ${language}: ${title}`,
          ours: speed[figure],
          unit,
          goal: `${goal} ${unit}`,
          isMet,
        };
      }),
    ...(wrongs.size === 0
      ? []
      : [
          {
            what: `${name}, ${language}: behaviors that are right`,
            ours: `${right}`,
            unit: `of ${wrongs.size}`,
            goal: "all",
            isMet: right === wrongs.size,
          },
        ]),
  ];
};
