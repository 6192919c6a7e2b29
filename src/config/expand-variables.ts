// Puts values in place of `${NAME}`, `${NAME:-default}` and `${env:NAME}`; a bare `$NAME` stays as it is.

export interface VariableSource {
  /** Names that are not variables of the environment, e.g. `workspaceFolder`. */
  readonly constants: ReadonlyMap<string, string>;
  readonly read: (name: string) => string | undefined;
  /** Called for a reference that has no value. `isPrompt`: only an editor has it, or asks a person for it. */
  readonly onMissing: (name: string, isPrompt: boolean) => void;
}

// One pair of braces may stand inside, for a default that holds a reference or an object.
// linear: a start within the body of another belongs to a closed pair, so it matches at once
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const grammar = /^(?:env:(?<environment>[^:]+)|(?<name>[A-Za-z_]\w*))(?::-(?<fallback>.*))?$/s;
const prompt = /^(?:input|command|config):/;

/** Expands one text. What is not a reference of ours is left alone; values are never expanded again. */
export const expandVariables = (text: string, source: VariableSource): string =>
  text.replace(reference, (written: string, body: string) => {
    const constant = source.constants.get(body);
    if (constant !== undefined) return constant;
    if (prompt.test(body)) {
      source.onMissing(body, true);
      return written;
    }
    const parts = grammar.exec(body)?.groups;
    const name = parts?.environment ?? parts?.name;
    if (name === undefined) return written;
    const value = source.read(name);
    const fallback = parts?.fallback;
    // As in a shell, the default also stands in for a variable that is set but empty.
    if (fallback !== undefined) return value ? value : expandVariables(fallback, source);
    if (value !== undefined) return value;
    source.onMissing(name, false);
    return written;
  });

/** The references in a text as they are written, e.g. "${TOKEN}". */
export const listReferences = (text: string): readonly string[] => text.match(reference) ?? [];
