// Failed server starts: one small file each, shared by all processes and removed by a successful start.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorTable, type StartFailure, type StartFailures } from "../../contracts/index.js";
import { writeFileAtomically } from "../file-io.js";
import { toListingFileName, toListingFilePrefix } from "./listing-cache.js";

const format = "mcp-coordinator/start-failure/1";

const parse = (text: string): StartFailure | undefined => {
  try {
    const file = JSON.parse(text) as StartFailure & { readonly format?: unknown };
    const isValid =
      file.format === format &&
      Number.isFinite(file.failedAtMs) &&
      Number.isInteger(file.count) &&
      Object.hasOwn(errorTable, file.code) &&
      typeof file.message === "string" &&
      typeof file.hint === "string";
    return isValid ? file : undefined;
  } catch {
    return undefined;
  }
};

/** Stores failures in `<folder>/failures`. If it is not writable, only this process remembers them. */
export const openStartFailures = (folder: string): StartFailures => {
  const failures = join(folder, "failures");
  const unwritten = new Map<string, StartFailure>();
  const pathOf = (server: string, fingerprint: string): string =>
    join(failures, toListingFileName(server, fingerprint));
  return {
    read: async (server, fingerprint) => {
      const path = pathOf(server, fingerprint);
      const text = await readFile(path, "utf8").catch(() => undefined);
      return text === undefined ? unwritten.get(path) : parse(text);
    },
    write: async (server, fingerprint, failure) => {
      const path = pathOf(server, fingerprint);
      try {
        await mkdir(failures, { recursive: true, mode: 0o700 });
        await writeFileAtomically(path, JSON.stringify({ format, ...failure }));
        unwritten.delete(path);
      } catch {
        unwritten.set(path, failure);
      }
    },
    clear: async (server, fingerprint) => {
      const path = pathOf(server, fingerprint);
      unwritten.delete(path);
      await rm(path, { force: true }).catch(() => {});
    },
    forget: async (server) => {
      const prefix = toListingFilePrefix(server);
      for (const path of unwritten.keys()) if (basename(path).startsWith(prefix)) unwritten.delete(path);
      const names = await readdir(failures).catch(() => []);
      const own = names.filter((name) => name.startsWith(prefix));
      await Promise.all(own.map((name) => rm(join(failures, name), { force: true }).catch(() => {})));
    },
  };
};
