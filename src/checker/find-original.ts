// Looks up one position in a source map in a single pass, without caching.

const digits = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((one, at) => [
    one.charCodeAt(0),
    at,
  ]),
);
const comma = ",".charCodeAt(0);
const semicolon = ";".charCodeAt(0);

export interface Original {
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
}

/** The last mapping at or before a generated position; `line` and `column` start at 0. */
export const findOriginal = (mappings: string, line: number, column: number): Original | undefined => {
  // Generated column, source, original line, original column: each is relative to the previous one.
  const fields = [0, 0, 0, 0, 0];
  let found: Original | undefined;
  let generatedLine = 0;
  let field = 0;
  let value = 0;
  let shift = 0;
  for (let at = 0; at <= mappings.length; at++) {
    const character = at === mappings.length ? semicolon : mappings.charCodeAt(at);
    if (character !== comma && character !== semicolon) {
      const digit = digits.get(character);
      if (digit === undefined) return undefined;
      value += (digit & 31) << shift;
      shift += 5;
      if ((digit & 32) !== 0) continue;
      if (field < fields.length)
        fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
      field++;
      value = 0;
      shift = 0;
      continue;
    }
    const [generatedColumn = 0, , originalLine = 0, originalColumn = 0] = fields;
    if (generatedLine === line && generatedColumn > column) return found;
    if (field >= 4) found = { line: originalLine + 1, column: originalColumn + 1 };
    field = 0;
    if (character === comma) continue;
    if (++generatedLine > line) return found;
    fields[0] = 0;
  }
  return found;
};
