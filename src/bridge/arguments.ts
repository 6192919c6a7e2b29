// Reads the arguments that a guest sent. Size, depth and number of values are bounded before they are parsed.
import type { Json, Limits } from "../contracts/index.js";
import { CoordinatorError, parseJson, readJson, skipText } from "../contracts/index.js";

const maxDepth = 200;
const minMarkLength = 16;

export type ArgumentLimits = Pick<Limits, "argumentBytes" | "argumentValues">;

/** The arguments of a call as a guest sent them. */
export interface ParsedCall {
  readonly values: readonly Json[];
  /** The field name that marks handles in this call. It is random, so nothing that a server sent can imitate it. */
  readonly mark?: string | undefined;
  /** Store the answer and return a handle. */
  readonly isStored: boolean;
}

/** The values of a call. Throws ARGUMENTS_INVALID for anything but a JSON array within bounds. */
export const parseArguments = (name: string, text: string, limits: ArgumentLimits): readonly Json[] => {
  const { values, mark, isStored } = parseCall(name, text, limits);
  if (mark === undefined && !isStored) return values;
  throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": it takes no handles`);
};

/** The same for a call that may contain handles: `{ "values": [], "mark": "", "isStored": true }`. */
const parseCall = (name: string, text: string, limits: ArgumentLimits): ParsedCall => {
  checkText(name, text, limits);
  try {
    return toCall(name, parseJson(text));
  } catch (cause) {
    throw toInvalid(name, cause);
  }
};

/** The same. Large arguments are parsed in slices. */
export const readCall = async (name: string, text: string, limits: ArgumentLimits): Promise<ParsedCall> => {
  checkText(name, text, limits);
  try {
    return toCall(name, await readJson(text));
  } catch (cause) {
    throw toInvalid(name, cause);
  }
};

const checkText = (name: string, text: string, { argumentBytes, argumentValues }: ArgumentLimits): void => {
  if (text.length > argumentBytes)
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments have ${text.length} bytes, at most ${argumentBytes} are allowed`,
      { hint: "Pass less data in one call, or raise limits.argumentBytes." },
    );
  const { depth, values } = measureText(text);
  if (depth > maxDepth)
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments are nested deeper than ${maxDepth} levels`,
    );
  if (values > argumentValues) throw tooManyValues(name, argumentValues);
};

const toCall = (name: string, given: unknown): ParsedCall => {
  if (Array.isArray(given)) return { values: given as readonly Json[], isStored: false };
  const { values, mark, isStored } = (given ?? {}) as {
    values?: unknown;
    mark?: unknown;
    isStored?: unknown;
  };
  if (!Array.isArray(values))
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": its arguments are not a list`);
  return {
    values: values as readonly Json[],
    mark: typeof mark === "string" && mark.length >= minMarkLength ? mark : undefined,
    isStored: isStored === true,
  };
};

const toInvalid = (name: string, cause: unknown): CoordinatorError => {
  if (cause instanceof CoordinatorError) return cause;
  const reason = cause instanceof Error ? cause.message : "it is not JSON";
  return new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": ${reason}`, { cause });
};

export const tooManyValues = (name: string, max: number): CoordinatorError =>
  new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot call "${name}": its arguments have more than ${max} values, the limit "argumentValues"`,
    { hint: "Pass fewer values in one call, or raise limits.argumentValues." },
  );

/** Depth and number of values of a JSON text, without parsing it. */
export const measureText = (text: string): { readonly depth: number; readonly values: number } => {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = skipText(text, at) - 1;
    else if (code === 44) values++;
    else if (code === 91 || code === 123) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (code === 93 || code === 125) depth--;
  }
  return { depth: deepest, values };
};
