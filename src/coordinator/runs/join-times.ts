// What a program's clock told, call by call, joined into what the same program is given when it goes on.

/**
 * Each text is a count of readings and pairs of a reading's number and its time. A reading that was told twice, because a call was
 * repeated, is the same one; where a program went another way, the later text is the one that counts.
 */
export const joinTimes = (texts: readonly string[]): string => {
  const readings = new Map<number, string>();
  let count = 0;
  for (const text of texts) {
    const [told = "0", ...parts] = text.split(",");
    count = Math.max(count, Number(told));
    for (let at = 0; at + 1 < parts.length; at += 2) readings.set(Number(parts[at]), parts[at + 1] ?? "");
  }
  if (count === 0) return "";
  const pairs = [...readings].sort(([one], [other]) => one - other);
  return [count, ...pairs.flat()].join(",");
};
