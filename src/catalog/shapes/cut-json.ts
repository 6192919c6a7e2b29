// The beginning of a long JSON text as JSON of its own: what is open at the cut is closed, what is unfinished left out.

const quote = 34;
const backslash = 92;

interface Level {
  readonly closer: "]" | "}";
  /** Where the last finished item or field ends. */
  end: number;
}

const findLevels = (text: string, length: number): readonly Level[] => {
  const levels: Level[] = [];
  let isInString = false;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === 91 || code === 123) levels.push({ closer: code === 91 ? "]" : "}", end: at + 1 });
    else if (code === 93 || code === 125) levels.pop();
    else if (code === 44) {
      const level = levels.at(-1);
      if (level !== undefined) level.end = at;
    }
  }
  return levels;
};

/** What `length` characters tell; undefined when they are not the beginning of a JSON object or list. */
export const cutJson = (text: string, length: number): unknown => {
  const levels = findLevels(text, length);
  // The first list that has finished items needs none that was cut off.
  const list = levels.findIndex(({ closer, end }) => closer === "]" && text[end] === ",");
  const kept = list === -1 ? levels : levels.slice(0, list + 1);
  const closers = kept.map(({ closer }) => closer).reverse();
  try {
    return JSON.parse(`${text.slice(0, kept.at(-1)?.end ?? 0)}${closers.join("")}`);
  } catch {
    return undefined;
  }
};
