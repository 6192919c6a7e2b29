// The arguments of a call in one spelling, so that the order of fields is no difference, and their hash.
import { hash } from "node:crypto";
import { type Json, type JsonObject, readLargeInteger } from "../../contracts/index.js";

/** Above this the text is taken as it is: sorting it would take longer than it is worth. */
const longestSorted = 256 * 1024;
const sortedCost = 8;

/** JSON with the fields of every object in order; undefined when it is too long to be worth it. */
const toSortedText = (value: Json): string | undefined => {
  let left = longestSorted;
  const write = (part: Json): string => {
    if (typeof part === "string") left -= part.length;
    if (left < 0) return "";
    if (typeof part !== "object" || part === null || readLargeInteger(part) !== undefined) {
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
    const names = Object.keys(fields);
    // To sort them is what takes long.
    left -= names.length * sortedCost;
    if (left < 0) return "";
    for (const name of names.sort()) {
      const field = fields[name];
      left -= name.length;
      if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(field)}`;
    }
    return `{${text}}`;
  };
  const text = write(value);
  return left < 0 ? undefined : text;
};

export interface HashedArguments {
  readonly argumentHash: string;
  /** As they are hashed: one line of JSON. */
  readonly text: string;
}

export const hashArguments = (value: Json): HashedArguments => {
  const text = toSortedText(value) ?? JSON.stringify(value);
  return { argumentHash: hash("sha256", text), text };
};
