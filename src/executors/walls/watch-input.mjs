// Checks without blocking whether bytes have arrived, for a process that spins briefly before it blocks.
import { Buffer } from "node:buffer";
import { openNativeCalls } from "./native-calls.mjs";

const add = 1;
const canRead = 1;

/**
 * Must be called before the walls stand: they allow polling, but not setting it up.
 * @param {{ readonly nativeFolder: string; readonly descriptor: number }} options
 * @returns {(() => boolean) | undefined} undefined if this machine cannot poll
 */
export const watchInput = ({ nativeFolder, descriptor }) => {
  if (process.platform !== "linux" || nativeFolder === "") return undefined;
  try {
    const { findFunction, addressOf } = openNativeCalls(nativeFolder);
    const create = findFunction("epoll_create1", "int", ["int"]);
    const control = findFunction("epoll_ctl", "int", ["int", "int", "int", "uint64"]);
    const wait = findFunction("epoll_wait", "int", ["int", "uint64", "int", "int"]);
    const yieldProcessor = findFunction("sched_yield", "int", []);
    const watch = create(0);
    const event = Buffer.alloc(16);
    event.writeUInt32LE(canRead, 0);
    if (watch < 0 || control(watch, add, descriptor, addressOf(event)) !== 0) return undefined;
    // The closure keeps the bytes alive that the kernel writes to.
    return () => {
      if (wait(watch, addressOf(event), 1, 0) > 0) return true;
      // The sender may be waiting for this very processor.
      yieldProcessor();
      return false;
    };
  } catch {
    return undefined;
  }
};
