// Converts clients' variable references to ours: `${NAME}`.

export interface Converted {
  readonly text: string;
  /** Variables that the client prompted for or stored itself. */
  readonly prompted: readonly string[];
  /** A reference that we cannot express. */
  readonly unknown?: string;
}

const toVariableName = (id: string): string =>
  id
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_")
    .toUpperCase();

/** Converts one text. `isBare`: `$NAME` is a variable too. */
export const convertVariables = (text: string, isBare = false): Converted => {
  const prompted: string[] = [];
  const unknown = /\{file:[^}]{0,500}\}|\$\{(?:command|config):[^}]{0,500}\}/.exec(text)?.[0];
  const ask = (id: string): string => {
    const variable = toVariableName(id);
    prompted.push(variable);
    return `\${${variable}}`;
  };
  const converted = text
    .replace(/\$\{input:([^}]{1,500})\}/g, (_, id: string) => ask(id))
    .replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, (_, id: string) => ask(id))
    .replace(/\$env:([A-Za-z_][A-Za-z0-9_]*)/g, "${$1}")
    .replace(/(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, "${$1}");
  return {
    text: isBare ? converted.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, "${$1}") : converted,
    prompted,
    ...(unknown === undefined ? {} : { unknown }),
  };
};
