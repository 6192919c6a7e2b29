// Lists the field names of a type printed by a compiler or by codegen.

/** The fields of `{ a: string; b?: { c: number } }`, at its first level only. */
const readFields = (text: string): readonly string[] => {
  const names: string[] = [];
  let depth = 0;
  let isStart = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"' && !isStart) {
      at = endOfText(text, at);
      continue;
    }
    if (depth === 1 && isStart) {
      const found =
        /^\s*(?:readonly\s+)?(?:"((?:[^"\\]|\\.)*)"|([\p{ID_Start}$_][\p{ID_Continue}$]*))\??:/u.exec(
          text.slice(at, at + 200),
        );
      isStart = false;
      if (found !== null) names.push(found[1] ?? found[2] ?? "");
    }
    if ("{[(<".includes(character)) depth++;
    else if ("}])".includes(character) || (character === ">" && text[at - 1] !== "=")) depth--;
    if (depth === 0 && character === "}") break;
    if (depth === 1 && (character === "{" || character === ";")) isStart = true;
  }
  return names;
};

const endOfText = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
};

/** The fields of an inline type, or of one declared in the sources. */
export const listTypeFields = (type: string, sources: readonly string[]): readonly string[] => {
  if (type.startsWith("{")) return readFields(type);
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(type)) return [];
  for (const source of sources) {
    const start = source.indexOf(`type ${type} = {`);
    if (start !== -1) return readFields(source.slice(source.indexOf("{", start)));
  }
  return [];
};
