// Trusts what came with the working folder, exactly as it stands now; or forgets it.
import { isAbsolute, relative } from "node:path";
import { loadConfiguration, personalStateFolder, readTrust, writeTrust } from "../config/index.js";
import type { UntrustedItem } from "../contracts/index.js";
import { toFolders } from "./onboarding/onboarding-places.js";
import type { TrustRequest, TrustResult } from "./onboarding.js";

const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
};

const isSame = (one: Pick<UntrustedItem, "kind" | "file" | "name">, other: typeof one): boolean =>
  one.kind === other.kind && one.file === other.file && one.name === other.name;

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
  const { untrusted } = await loadConfiguration({
    ...folders,
    trust: false,
    judgesDisabled: request.withDisabled,
  });
  const isShown = (item: UntrustedItem): boolean =>
    request.shown?.some((one) => isSame(one, item) && one.fingerprint === item.fingerprint) ?? true;
  const items = untrusted.filter((item) => (request.files?.includes(item.file) ?? true) && isShown(item));
  const isWritten = request.isDryRun !== true && items.length > 0;
  if (isWritten) {
    const trustedAt = new Date().toISOString();
    writeTrust(personalFolder, [
      ...known.filter((record) => !items.some((item) => isSame(item, record))),
      ...items.map(({ before: _, facts: __, ...item }) => ({ ...item, trustedAt })),
    ]);
  }
  return { items, forgotten: 0, isWritten };
};
