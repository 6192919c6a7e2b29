// Mutates seeds into hostile inputs. The same random source gives the same inputs, so that a finding can be repeated.

/** @returns {(max: number) => number} whole numbers below `max` (mulberry32) */
export const createRandom = (/** @type {number} */ seed) => {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * max);
  };
};

const tokens = [
  ..."()[]{}<>`'\"!~^|&?:;,.=+-*/\\#@$_ \t\n\r\0",
  ..."\u2028\u202e\u200b\ufeff\ud800\u{1f600}",
  ...["${", "=>", "/*", "*/", "//", "```", "~~~", "'''", '"""', "...", "?.", "**"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "NaN", "Infinity", "-0", "1e999"],
  ...["9007199254740993", "0x", "null", "true", "[]", "{}", '""', "\\u0000", "%00", "%2e%2e", "../"],
];

const maxInputLength = 300_000;

/** One to four changes of one seed. */
export const mutate = (
  /** @type {readonly string[]} */ seeds,
  /** @type {readonly string[]} */ dictionary,
  /** @type {(max: number) => number} */ random,
) => {
  const pick = (/** @type {readonly string[]} */ list) => list[random(list.length)] ?? "";
  const word = () => pick(random(2) === 0 ? tokens : dictionary.length > 0 ? dictionary : tokens);
  let text = pick(seeds);
  for (let left = 1 + random(4); left > 0; left--) {
    const from = random(text.length + 1);
    const to = Math.min(text.length, from + random(40));
    const part = text.slice(from, to);
    const times = 2 ** random(17);
    const bounded = (/** @type {string} */ one) =>
      one.repeat(Math.min(times, Math.ceil(maxInputLength / (one.length || 1))));
    switch (random(9)) {
      case 0:
        text = text.slice(0, from) + word() + text.slice(from);
        break;
      case 1:
        text = text.slice(0, from) + word() + text.slice(to);
        break;
      case 2:
        text = text.slice(0, from) + text.slice(to);
        break;
      // Repetition finds recursion and super-linear scans.
      case 3:
        text = text.slice(0, from) + bounded(word()) + text.slice(from);
        break;
      case 4:
        text = text.slice(0, from) + bounded(part) + text.slice(to);
        break;
      case 5: {
        const open = pick(["(", "[", "{", "<", "${", "!", "a?", '{"a":', "()=>", "if(a)", "lambda:", "not "]);
        const close = { "(": ")", "[": "]", "{": "}", "<": ">", "${": "}", '{"a":': "}" }[open] ?? "";
        text = text.slice(0, from) + bounded(open) + part + bounded(close) + text.slice(to);
        break;
      }
      case 6:
        text = text.slice(0, from) + pick(seeds).slice(random(40)) + text.slice(from);
        break;
      case 7:
        text = text.slice(0, from);
        break;
      default:
        text = text.slice(0, from) + String.fromCharCode(random(0x1_0000)) + text.slice(from + 1);
    }
  }
  return text.slice(0, maxInputLength);
};
