// Medians, percentiles and a table for people.
import { loadavg } from "node:os";

export const percentile = (values, share) => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};
export const median = (values) => percentile(values, 0.5);

/** Times a piece of work in milliseconds, several times. */
export const timeEach = async (times, work) => {
  const all = [];
  for (let at = 0; at < times; at++) {
    const from = performance.now();
    await work(at);
    all.push(performance.now() - from);
  }
  return all;
};

const show = (value) =>
  typeof value !== "number"
    ? value
    : value >= 100
      ? value.toFixed(0)
      : value >= 1
        ? value.toFixed(2)
        : value.toFixed(3);

/** One line per measurement: name, our figure, the baseline, the ratio, the goal, and whether it was met. */
export const printRows = (rows) => {
  const cells = rows.map(
    ({ what, ours, floor, ratio = floor === undefined ? undefined : ours / floor, unit, goal, isMet }) => [
      what,
      `${show(ours)} ${unit}`,
      floor === undefined ? "" : `${show(floor)} ${unit}`,
      ratio === undefined ? "" : `${ratio.toFixed(2)}x`,
      goal ?? "",
      isMet === undefined ? "" : isMet ? "met" : "MISSED",
    ],
  );
  printTable([["", "ours", "floor", "ratio", "goal", ""], ...cells]);
};

/** Prints aligned columns, the first one left-aligned. */
export const printTable = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join("  ")
        .trimEnd(),
    );
};

/** The state of the machine, printed with the figures. */
export const formatLoad = () =>
  `load average ${loadavg()
    .map((value) => value.toFixed(2))
    .join(" ")}, Node ${process.versions.node}`;
