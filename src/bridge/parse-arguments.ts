// Reads the arguments a guest sent: bounded in size and depth, because a guest's JSON can be legal and still deadly.
import type { Json } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";

const maxDepth = 200;

/** The values of a call. Throws ARGUMENTS_INVALID for anything but a JSON array within bounds. */
export const parseArguments = (name: string, text: string, maxBytes: number): readonly Json[] => {
  if (text.length > maxBytes) {
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments have ${text.length} bytes, at most ${maxBytes} are allowed`,
      {
        hint: "Pass less data in one call, or raise limits.argumentBytes.",
      },
    );
  }
  if (depthOf(text) > maxDepth) {
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments are nested deeper than ${maxDepth} levels`,
    );
  }
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values))
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": its arguments are not a list`);
  return values as readonly Json[];
};

/** Deepest nesting of a JSON text, brackets in strings left out. */
export const depthOf = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 92) at++;
      else if (code === 34) isInString = false;
    } else if (code === 34) isInString = true;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
};
