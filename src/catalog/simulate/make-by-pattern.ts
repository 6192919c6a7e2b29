// Texts for patterns that are a row of signs and sets, such as `^sim_[0-9a-f]{8}$`. Others are not tried.
import type { RandomSource } from "./random-source.js";

/** A set, a class or a sign, and how often it comes. Groups, choices and everything that looks around are missing. */
const atom = /(\[(?!\^)[^\]\\]+\]|\\[dw]|\\[^\w\s]|[^\\[\](){}|*+?.^$])(?:\{(\d{1,3})(?:,\d*)?\}|([+*?]))?/y;

const makeSign = (text: string, random: RandomSource): string => {
  if (text === "\\d") return String(random.integer(0, 9));
  if (text === "\\w") return "a";
  if (text.startsWith("\\")) return text.slice(1);
  if (!text.startsWith("[")) return text;
  const [, first = "", last = first] = /^\[(.)(?:-([^\]]))?/u.exec(text) ?? [];
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return String.fromCharCode(random.integer(Math.min(from, to), Math.max(from, to)));
};

const toCount = (least: string | undefined, sign: string | undefined): number => {
  if (least !== undefined) return Number(least);
  return sign === "*" || sign === "?" ? 0 : 1;
};

/** Undefined when the pattern says more than that. */
export const makeByPattern = (pattern: string, random: RandomSource): string | undefined => {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  let made = "";
  atom.lastIndex = 0;
  while (atom.lastIndex < body.length) {
    const found = atom.exec(body);
    if (found === null) return undefined;
    const [, text = "", least, sign] = found;
    made += Array.from({ length: toCount(least, sign) }, () => makeSign(text, random)).join("");
  }
  return made;
};
