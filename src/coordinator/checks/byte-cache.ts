// A least-recently-used cache that is limited by the size of its values.
export interface ByteCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** A value larger than the whole cache is not stored. */
  readonly set: (key: string, value: Value, bytes: number) => void;
  readonly delete: (key: string) => void;
}

/** Overhead of an entry. */
const entryBytes = 256;

export const openByteCache = <Value>(maxBytes: number): ByteCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set: (key, value, size) => {
      drop(key);
      const bytes = size + entryBytes;
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
    delete: drop,
  };
};
