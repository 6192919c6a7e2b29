// Takes a change back out of a text that went on without it: line by line, or nothing.
import { applyPatch, reversePatch, structuredPatch } from "diff";

/** `current` without the change from `before` to `after`; `undefined` when the lines around it are others now. */
export const undoChange = (before: string, after: string, current: string): string | undefined => {
  const patch = reversePatch(
    structuredPatch("file", "file", before, after, undefined, undefined, { context: 1 }),
  );
  const undone = applyPatch(current, patch, { autoConvertLineEndings: false });
  return undone === false ? undefined : undone;
};
