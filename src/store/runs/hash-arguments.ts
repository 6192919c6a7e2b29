// The arguments of a call in one spelling, so that the order of fields is no difference, and their hash.
import { hash } from "node:crypto";
import type { Json, JsonObject } from "../../contracts/index.js";

/** Above this the text is taken as it is: sorting it would take longer than it is worth. */
const longestSorted = 1024 * 1024;

/** JSON with the fields of every object in order; undefined when it is too long to be worth it. */
const toSortedText = (value: Json): string | undefined => {
  let left = longestSorted;
  const write = (part: Json): string => {
    if (left < 0) return "";
    if (typeof part !== "object" || part === null) {
      const text = JSON.stringify(part);
      left -= text.length;
      return text;
    }
    let text = "";
    if (Array.isArray(part)) {
      for (const item of part) text += text === "" ? write(item) : `,${write(item)}`;
      return `[${text}]`;
    }
    const fields = part as JsonObject;
    for (const name of Object.keys(fields).sort()) {
      const field = fields[name];
      left -= name.length;
      if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(field)}`;
    }
    return `{${text}}`;
  };
  const text = write(value);
  return left < 0 ? undefined : text;
};

/** The arguments in that spelling: one line of JSON. */
export const spellArguments = (value: Json): string => toSortedText(value) ?? JSON.stringify(value);

/** Of arguments that are spelled so. */
export const hashSpelled = (text: string): string => hash("sha256", text);

export const hashArguments = (value: Json): string => hashSpelled(spellArguments(value));
