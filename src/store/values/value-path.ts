// Paths into a stored value, for example `data.rows[0]` or `items[*].name`: parses them and finds what they lead to.
import {
  CoordinatorError,
  decodeInSteps,
  isContainer,
  isList,
  type Json,
  readElements,
  type Steps,
  skipSpace,
  skipValueInSteps,
} from "../../contracts/index.js";

/** The step `[*]`: into every item. */
export const every = Symbol("every");
export type Step = string | number | typeof every;

const piece = /\.?([^.[\]"]+)|\[(\d+)\]|\[(\*?)\]|\[("(?:[^"\\]|\\.)*")\]/y;
const maxSteps = 50;

/** Throws ARGUMENTS_INVALID if the text is not a path. */
export const parseValuePath = (path: string): readonly Step[] => {
  const text = path.trim().replace(/^\$(?=[.[]|$)\.?/, "");
  const steps: Step[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length && steps.length <= maxSteps) {
    const [found, name, index, all, quoted] = piece.exec(text) ?? [];
    if (found === undefined) break;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (all !== undefined) steps.push(every);
    else steps.push(toName(quoted ?? '""'));
  }
  if ((text === "" || piece.lastIndex === text.length) && steps.length <= maxSteps) return steps;
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

/** The value that the path leads to; with `[*]` the list of all of them. Undefined if there is none. */
export function* followPath(value: Json, path: readonly Step[]): Steps<Json | undefined> {
  let found: Json | undefined = value;
  for (const [at, step] of path.entries()) {
    if (typeof found !== "object" || found === null) return undefined;
    if (step === every) {
      const items: Json[] = [];
      const rest = path.slice(at + 1);
      for (const item of Array.isArray(found) ? found : Object.values(found)) {
        const inside = yield* followPath(item, rest);
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

export interface Located {
  readonly start: number;
  /** The steps after `[*]`; undefined if the path has no such step. */
  readonly inside?: readonly Step[] | undefined;
}

const notFound = (what: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot follow the path: ${what}`, {
    hint: "Call peek(handle): it shows the fields.",
  });

function* enter(bytes: Buffer, container: number, step: string | number): Steps<number> {
  if (!isContainer(bytes[container])) throw notFound(`a single value has no ${JSON.stringify(step)}`);
  if (isList(bytes[container]) !== (typeof step === "number"))
    throw notFound(
      typeof step === "number"
        ? `an object has no [${step}]`
        : `a list has no field ${JSON.stringify(step)}; use [*] for every item`,
    );
  let index = 0;
  for (const element of readElements(bytes, { container })) {
    yield undefined;
    if (element === undefined) continue;
    const isFound =
      typeof step === "number"
        ? index++ === step
        : JSON.parse(bytes.toString("utf8", element.keyStart, element.keyEnd)) === step;
    if (isFound) return element.start;
  }
  throw notFound(typeof step === "number" ? `there is no item ${step}` : `there is no field "${step}"`);
}

/** Finds a value inside JSON bytes without parsing them. Throws ARGUMENTS_INVALID if there is none. */
export function* locate(bytes: Buffer, steps: readonly Step[]): Steps<Located> {
  let start = skipSpace(bytes, 0);
  for (const [at, step] of steps.entries()) {
    if (step === every) return { start, inside: steps.slice(at + 1) };
    start = yield* enter(bytes, start, step);
  }
  return { start };
}

/** The JSON text of the value that starts there. */
export function* readTextAt(bytes: Buffer, start: number): Steps<string> {
  return yield* decodeInSteps(bytes, start, yield* skipValueInSteps(bytes, start));
}
