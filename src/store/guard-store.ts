// What the system says of the state folder, as our error: its own messages hold paths of the host.
import { CoordinatorError } from "../contracts/index.js";

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";

/** A failure of the file system as STORE_FAILED; everything else stays what it is. */
const toStoreError = (error: unknown): unknown => {
  if (!isSystemError(error)) return error;
  const why =
    error.code === "ENOSPC" || error.code === "EDQUOT" ? "the disk is full" : `the system said ${error.code}`;
  return new CoordinatorError("STORE_FAILED", `Cannot use the state folder: ${why}`, { cause: error });
};

/** The same functions, with failures that may be told. */
export const guardStore = <Part extends object>(part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, work]) => {
      if (typeof work !== "function") return [name, work];
      const guarded = (...words: readonly unknown[]): unknown => {
        try {
          const result: unknown = work(...words);
          if (!(result instanceof Promise)) return result;
          return result.catch((error: unknown) => {
            throw toStoreError(error);
          });
        } catch (error) {
          throw toStoreError(error);
        }
      };
      return [name, guarded];
    }),
  ) as Part;
