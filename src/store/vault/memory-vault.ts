// A vault in memory: sign-ins are lost when the process ends.
import type { Vault, VaultEntry } from "../../contracts/index.js";

export const openMemoryVault = (): Vault => {
  const entries = new Map<string, VaultEntry>();
  const queues = new Map<string, Promise<unknown>>();
  let last = Date.now();
  return {
    read: async (name) => structuredClone(entries.get(name)),
    write: async (name, value, { after } = {}) => {
      if (after !== undefined && (entries.get(name)?.generation ?? 0) !== after) return undefined;
      last += 1;
      const entry = { generation: last, value: structuredClone(value) };
      entries.set(name, entry);
      return structuredClone(entry);
    },
    remove: async (name, { generation } = {}) => {
      if (generation !== undefined && entries.get(name)?.generation !== generation) return false;
      return entries.delete(name);
    },
    list: async () => [...entries.keys()].sort(),
    exclusively: async (name, work) => {
      const before = queues.get(name);
      const turn = (async () => {
        await before?.catch(() => {});
        return work();
      })();
      queues.set(name, turn);
      try {
        return await turn;
      } finally {
        if (queues.get(name) === turn) queues.delete(name);
      }
    },
    describe: async () => ({ source: "memory" }),
  };
};
