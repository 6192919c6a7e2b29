// The system's keychain, through an optional package. It is loaded on first use, because it cannot be loaded on every machine.
import type { Keychain } from "./master-key.js";

const service = "mcp-coordinator";
const account = "vault";
/** A keychain may wait for a person to unlock it. */
const maxWaitMs = 60_000;

const loadEntry = async () => {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // Never the kernel's keyring, the fallback of the package: it is empty after a restart.
  return new AsyncEntry(service, account, { linux: { store: "secret-service" } });
};

const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${maxWaitMs} ms`)), maxWaitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

export const openKeychain = (): Keychain => ({
  read: async () => {
    const entry = await loadEntry();
    return (await inTime(entry.getPassword())) ?? undefined;
  },
  write: async (secret) => {
    const entry = await loadEntry();
    await inTime(entry.setPassword(secret));
  },
});
