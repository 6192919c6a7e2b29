// Finds the value that a path leads to inside the bytes of a kept one.
import {
  CoordinatorError,
  decodeInSteps,
  isContainer,
  isList,
  readElements,
  type Steps,
  skipSpace,
  skipValueInSteps,
} from "../../contracts/index.js";
import { every, type Step } from "./value-path.js";

export interface Located {
  readonly start: number;
  /** The steps that lead into every item of it, the first of them left out; undefined when the path ends here. */
  readonly inside?: readonly Step[];
}

const nothing = (what: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot follow the path: ${what}`, {
    hint: "Peek at the handle: it names the fields.",
  });

function* enter(bytes: Buffer, container: number, step: string | number): Steps<number> {
  if (!isContainer(bytes[container])) throw nothing(`there is no ${JSON.stringify(step)} in a single value`);
  if (isList(bytes[container]) !== (typeof step === "number"))
    throw nothing(
      typeof step === "number"
        ? `[${step}] is asked of an object`
        : `${JSON.stringify(step)} is asked of a list; use [*] for every item of it`,
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
  throw nothing(typeof step === "number" ? `there is no item ${step}` : `there is no field "${step}"`);
}

/** Throws ARGUMENTS_INVALID when there is nothing. */
export function* locate(bytes: Buffer, steps: readonly Step[]): Steps<Located> {
  let start = skipSpace(bytes, 0);
  for (const [at, step] of steps.entries()) {
    if (step === every) return { start, inside: steps.slice(at + 1) };
    start = yield* enter(bytes, start, step);
  }
  return { start };
}

export function* textOf(bytes: Buffer, start: number): Steps<string> {
  return yield* decodeInSteps(bytes, start, yield* skipValueInSteps(bytes, start));
}
