// Reads the value of a Python string literal: prefix, quotes, escapes.

const literal = /^([A-Za-z]*)('''|"""|'|")([\s\S]*)\2$/;

const plainEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escapeSequence =
  /\\(?:(\n|[\\'"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(N\{))/g;

/** Undefined for bytes and for escapes that cannot be decoded here. */
export const readString = (text: string): string | undefined => {
  const [, prefix = "", , body] = literal.exec(text) ?? [];
  if (body === undefined || /[bt]/i.test(prefix)) return undefined;
  if (/r/i.test(prefix)) return body;
  let isKnown = true;
  const value = body.replace(
    escapeSequence,
    (whole, plain?: string, octal?: string, short?: string, middle?: string, long?: string) => {
      if (plain !== undefined) return plainEscapes[plain] ?? whole;
      const code = octal === undefined ? (short ?? middle ?? long) : Number.parseInt(octal, 8).toString(16);
      const point = Number.parseInt(code ?? "", 16);
      // Character names would need a table of their own.
      if (Number.isNaN(point) || point > 0x10ffff) isKnown = false;
      return isKnown ? String.fromCodePoint(point) : "";
    },
  );
  return isKnown ? value : undefined;
};
