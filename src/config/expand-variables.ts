// Expands `${NAME}`, `${NAME:-default}` and `${env:NAME}`. A bare `$NAME` is left alone.

export interface VariableSource {
  /** Names that are not environment variables, e.g. `workspaceFolder`. */
  readonly constants: ReadonlyMap<string, string>;
  readonly read: (name: string) => string | undefined;
  /** Called for a reference without a value. `isPrompt`: only an editor can supply it, or it prompts the user. */
  readonly onMissing: (name: string, isPrompt: boolean) => void;
}

// Allows one nested pair of braces, for a default that holds a reference or an object.
// linear: a start within another's body belongs to a closed pair, so it matches at once
const reference = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const grammar = /^(?:env:(?<environment>[^:]+)|(?<name>[A-Za-z_]\w*))(?::-(?<fallback>.*))?$/s;
const prompt = /^(?:input|command|config):/;

/** Expands one text. Other kinds of references are left alone. Values are not expanded again. */
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
    // As in a shell, the default also replaces an empty value.
    if (fallback !== undefined) return value ? value : expandVariables(fallback, source);
    if (value !== undefined) return value;
    source.onMissing(name, false);
    return written;
  });

/** Lists the references in a text as written, e.g. "${TOKEN}". */
export const listReferences = (text: string): readonly string[] => text.match(reference) ?? [];
