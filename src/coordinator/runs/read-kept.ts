// Lists and reads the values that programs stored: long outputs, artifacts and the values behind handles.
import type { KeptEntry } from "../../contracts/index.js";
import type { KeptRequest, KeptValue } from "../coordinator.js";
import type { Host } from "../host/host.js";
import { openValues } from "./open-values.js";

export const listKept = async (
  host: Host,
  { workspace }: { readonly workspace?: string | undefined } = {},
): Promise<readonly KeptEntry[]> => (await openValues(host, workspace)()).list();

export const readKept = async (host: Host, { id, workspace }: KeptRequest): Promise<KeptValue> => {
  const values = await openValues(host, workspace)();
  const facts = await values.find(id);
  return { ...facts, content: await values.read(id) };
};
