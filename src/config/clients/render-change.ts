// Renders a change to a file as a unified diff without secrets, and undoes a change.
import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY, reversePatch, structuredPatch } from "diff";

export interface FileChange {
  readonly path: string;
  /** `undefined`: the file is new. */
  readonly before: string | undefined;
  /** `undefined`: the file is removed. */
  readonly after: string | undefined;
}

const mask = "••••••";

/** Longer lines are cut before matching, because the expressions below are not linear. */
const maxLineLength = 1000;

const secretName =
  "[\\w.-]{0,80}(?:token|key|secret|passw(?:or)?d|passphrase|auth|credential|cookie|session|bearer)[\\w.-]{0,80}";
// The end of the line also ends a value, because the line may have been cut.
const quoted = `"(?:[^"\\\\]|\\\\.)*(?:"|$)`;
// bounded: lines have at most maxLineLength characters
const assigned = new RegExp(
  `(["']?${secretName}["']?\\s*[:=]\\s*)(${quoted}|'[^']*(?:'|$)|[^\\s,{}\\[\\]#"'][^\\s,}\\]#]*)`,
  "gi",
);
// bounded: lines have at most maxLineLength characters
const argument = new RegExp(`("--?${secretName}"\\s*,\\s*)(${quoted})`, "gi");
// bounded: lines have at most maxLineLength characters
const inlined = new RegExp(`(--?${secretName}=)([^"'\\s,]+)`, "gi");

/** Fields whose value is the name of a variable. */
const namesVariable = /env_?var/i;

const isReference = (text: string): boolean =>
  /^["']?(?:Bearer )?(?:\$\{[^}]*\}|\$\w+|\{env:\w+\})["']?$/.test(text);

const masked = (text: string): string => {
  const quote = /^["']/.exec(text)?.[0] ?? "";
  return isReference(text) || /^(?:true|false|null|\d{1,3}|\{|\[|""|'')$/.test(text)
    ? text
    : `${quote}${mask}${quote}`;
};

const cutLine = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;

/** Hides the given values everywhere, and every value whose name looks like a secret. */
export const hideSecrets = (line: string, secrets: readonly string[]): string =>
  cutLine(secrets.reduce((text, secret) => text.replaceAll(secret, mask), line))
    .replace(
      assigned,
      (_, name: string, value: string) => name + (namesVariable.test(name) ? value : masked(value)),
    )
    .replace(argument, (_, name: string, value: string) => name + masked(value))
    .replace(inlined, (_, name: string, value: string) => name + masked(value));

/** The values to hide: literals of four characters or more, plain and JSON-escaped. */
export const listSecrets = (
  maps: readonly (Readonly<Record<string, string>> | undefined)[],
): readonly string[] => {
  const values = maps
    .flatMap((map) => Object.values(map ?? {}))
    .filter((value) => value.length >= 4 && !isReference(value) && !/^(?:true|false|\d+)$/.test(value));
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
};

/** Renders the diff of one file; empty if it does not change. */
export const renderChange = ({ path, before, after }: FileChange, secrets: readonly string[]): string => {
  if (before === after) return "";
  const [from, to] = [before === undefined ? "/dev/null" : path, after === undefined ? "/dev/null" : path];
  const plain = (text: string | undefined): string => (text ?? "").replaceAll("\r\n", "\n");
  return createTwoFilesPatch(from, to, plain(before), plain(after), undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
    .split("\n")
    .map((line) => hideSecrets(line, secrets))
    .join("\n")
    .trimEnd();
};

/** Reverts the change from `before` to `after` in `current`; `undefined` if the lines around it have changed. */
export const undoChange = (before: string, after: string, current: string): string | undefined => {
  const patch = reversePatch(
    structuredPatch("file", "file", before, after, undefined, undefined, { context: 1 }),
  );
  const undone = applyPatch(current, patch, { autoConvertLineEndings: false });
  return undone === false ? undefined : undone;
};
