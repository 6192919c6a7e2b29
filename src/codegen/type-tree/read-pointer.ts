// What a JSON pointer leads to, within one schema and nowhere else.

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
};

/** The names a pointer passes: `#/$defs/a~1b` → `$defs`, `a/b`. */
export const listSegments = (pointer: string): readonly string[] =>
  pointer.split("/").slice(1).map(decodeSegment);

/** Undefined when it leads nowhere; what objects inherit is nowhere too. */
export const readPointer = (root: unknown, pointer: string): unknown => {
  let found = root;
  for (const segment of listSegments(pointer)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as { readonly [key: string]: unknown })[segment];
  }
  return found;
};
