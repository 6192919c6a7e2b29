// Joins the clock readings recorded with each call, so that a resumed program sees the same times.

/**
 * Each text is a count of readings, then pairs of a reading's number and its time. A reading recorded twice, because a call was
 * repeated, is the same reading. Where the program took another path, the later text counts.
 */
export const joinTimes = (texts: readonly string[]): string => {
  const readings = new Map<number, string>();
  let count = 0;
  for (const text of texts) {
    const [counted = "0", ...parts] = text.split(",");
    count = Math.max(count, Number(counted));
    for (let at = 0; at + 1 < parts.length; at += 2) readings.set(Number(parts[at]), parts[at + 1] ?? "");
  }
  if (count === 0) return "";
  const pairs = [...readings].sort(([one], [other]) => one - other);
  return [count, ...pairs.flat()].join(",");
};
