// Paths into a kept value: `data.rows[0]`, `items[*].name`, `["odd name"]`.
import { CoordinatorError, type Json, type Steps } from "../../contracts/index.js";

/** A step into every item; no name and no number is it. */
export const every = Symbol("every");
export type Step = string | number | typeof every;

const piece = /\.?([^.[\]"]+)|\[(\d+)\]|\[(\*?)\]|\[("(?:[^"\\]|\\.)*")\]/y;
const mostSteps = 50;

/** Throws ARGUMENTS_INVALID for a text that is no path. */
export const parseKeptPath = (path: string): readonly Step[] => {
  const text = path.trim().replace(/^\$(?=[.[]|$)\.?/, "");
  const steps: Step[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length && steps.length <= mostSteps) {
    const [found, name, index, all, quoted] = piece.exec(text) ?? [];
    if (found === undefined) break;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (all !== undefined) steps.push(every);
    else steps.push(toName(quoted ?? '""'));
  }
  if ((text === "" || piece.lastIndex === text.length) && steps.length <= mostSteps) return steps;
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot read the path ${JSON.stringify(path.slice(0, 100))}: expected names, [0] and [*], such as "items[*].name"`,
  );
};

const toName = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
};

/** Follows a path into a value; with a step into every item the values of all of them. Undefined when nothing is there. */
export function* follow(value: Json, path: readonly Step[]): Steps<Json | undefined> {
  let found: Json | undefined = value;
  for (const [at, step] of path.entries()) {
    if (typeof found !== "object" || found === null) return undefined;
    if (step === every) {
      const items: Json[] = [];
      const rest = path.slice(at + 1);
      for (const item of Array.isArray(found) ? found : Object.values(found)) {
        const inside = yield* follow(item, rest);
        // A list of lists becomes one list.
        if (Array.isArray(inside)) for (const one of inside) items.push(one);
        else if (inside !== undefined) items.push(inside);
        yield undefined;
      }
      return items;
    }
    const inside = found as Readonly<Record<string | number, Json>>;
    found = Object.hasOwn(inside, step) ? inside[step] : undefined;
  }
  return found;
}
