// JSON files: parsed where they may be damaged or written by another program, and laid out for people.

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a JSON object. What does not fit counts as absent. */
export const parseFields = (
  text: string | undefined,
  parse: (text: string) => unknown = JSON.parse,
): Fields | undefined => {
  try {
    const value = parse(text ?? "");
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export interface FileFormat {
  readonly format: string;
  /** Raise it when the meaning of a field changes: older files then count as absent. */
  readonly version: number;
}

/** The same for a file that names its format. */
export const parseFormat = (
  text: string | undefined,
  { format, version }: FileFormat,
  parse?: (text: string) => unknown,
): Fields | undefined => {
  const file = parseFields(text, parse);
  return file?.format === format && file.version === version ? file : undefined;
};

const maxLength = 64 * 1024;
const maxGrowth = 8;

/** As people read it, where that is not much longer than the plain text: nested values could be indented without bound. */
export const layOutJson = (value: unknown): string => {
  const plain = JSON.stringify(value);
  if (plain.length > maxLength) return plain;
  const indented = JSON.stringify(value, undefined, 2);
  return indented.length <= maxGrowth * plain.length ? indented : plain;
};
