// Labels: names that a policy gives to data by where it came from. A set of labels never changes; joining two returns a larger one.

export type Labels = ReadonlySet<string>;

export const noLabels: Labels = new Set();

/** The label about who decides: every call that the model makes after it has read such data has it, whatever its arguments are. */
export const untrusted = "untrusted";

/** Returns one of the two if it has the labels of both, so that most joins create nothing. */
export const joinLabels = (one: Labels, other: Labels): Labels => {
  if (one === other || other.size === 0) return one;
  if (one.size === 0) return other;
  let joined: Set<string> | undefined;
  for (const label of other)
    if (!one.has(label)) {
      joined ??= new Set(one);
      joined.add(label);
    }
  return joined ?? one;
};

/** The labels of what a tool answers: those of everything, and those of single fields. */
export interface SourceLabels {
  readonly whole: Labels;
  readonly fields: readonly FieldLabel[];
}

export interface FieldLabel {
  /** Names from the outside in, at any depth. Lists on the way have no name. */
  readonly path: readonly string[];
  readonly label: string;
}

export const noSource: SourceLabels = { whole: noLabels, fields: [] };

/** For data without distinguishable fields. */
export const allLabels = ({ whole, fields }: SourceLabels): Labels =>
  fields.length === 0 ? whole : joinLabels(whole, new Set(fields.map(({ label }) => label)));

const containsPath = (path: readonly string[], wanted: readonly string[]): boolean => {
  for (let at = 0; at + wanted.length <= path.length; at++)
    if (wanted.every((name, index) => path[at + index] === name)) return true;
  return false;
};

/** The labels of a value at this place of an answer. */
export const labelsAt = ({ whole, fields }: SourceLabels, path: readonly string[]): Labels => {
  let labels = whole;
  for (const field of fields)
    if (!labels.has(field.label) && containsPath(path, field.path))
      labels = joinLabels(labels, new Set([field.label]));
  return labels;
};
