// Trusts what came with the working folder, exactly as it stands now; or forgets it.
import { isAbsolute, relative } from "node:path";
import { loadConfiguration, personalStateFolder, readTrust, writeTrust } from "../config/index.js";
import { toFolders } from "./onboarding/onboarding-places.js";
import type { TrustRequest, TrustResult } from "./onboarding.js";

const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
};

/** Does it, or with `isDryRun` says what waits. */
export const trust = async (request: TrustRequest = {}): Promise<TrustResult> => {
  const folders = toFolders(request);
  const personalFolder = personalStateFolder(folders);
  const known = readTrust(personalFolder);
  if (request.isForgotten === true) {
    const kept = known.filter(({ file }) => !isBelow(file, folders.workingFolder));
    if (request.isDryRun !== true && kept.length < known.length) writeTrust(personalFolder, kept);
    return { items: [], forgotten: known.length - kept.length, isWritten: kept.length < known.length };
  }
  const { untrusted } = await loadConfiguration({ ...folders, trust: false });
  const items = untrusted.filter(({ file }) => request.files?.includes(file) ?? true);
  const isWritten = request.isDryRun !== true && items.length > 0;
  if (isWritten) {
    const isSame = (one: { kind: string; file: string; name: string }, other: typeof one): boolean =>
      one.kind === other.kind && one.file === other.file && one.name === other.name;
    const trustedAt = new Date().toISOString();
    writeTrust(personalFolder, [
      ...known.filter((record) => !items.some((item) => isSame(item, record))),
      ...items.map(({ before: _, ...item }) => ({ ...item, trustedAt })),
    ]);
  }
  return { items, forgotten: 0, isWritten };
};
