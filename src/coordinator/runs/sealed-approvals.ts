// Approvals on their way through a journal: sealed with a key that never leaves the host, for one run, caller and policy.
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Json, type JsonObject, type ManifestCall, toCanonicalJson } from "../../contracts/index.js";
import { openSecretFile, type SecretFile } from "../../store/index.js";
import type { Host } from "../host/host.js";

/** An approval as the journal has it. */
export interface ProgramApproval {
  readonly id: string;
  readonly runId: string;
  readonly workspace: string;
  readonly caller: string;
  readonly language: string;
  readonly programHash: string;
  /** The files of skills and adapters that it imports, with the hashes of their texts. */
  readonly modules: readonly (readonly [file: string, hash: string])[];
  readonly policyVersion: string;
  readonly entries: readonly ManifestCall[];
  readonly approver: { readonly by: string; readonly name?: string | undefined };
  readonly at: string;
  readonly expiresAt: string;
  /** What the person was shown, word for word. */
  readonly shown: string;
  readonly seal: string;
}

const opened = new WeakMap<Host["configuration"], SecretFile>();

export const deriveKey = async ({ configuration }: Host, purpose: string): Promise<Buffer> => {
  const secret =
    opened.get(configuration) ?? openSecretFile(configuration.settings.stateFolder, "approval.key");
  opened.set(configuration, secret);
  return Buffer.from(hkdfSync("sha256", await secret.read(), "", `mcp-coordinator ${purpose}`, 32));
};

type Unsealed = Omit<ProgramApproval, "seal">;

const toSeal = (key: Buffer, { seal: _, ...content }: Unsealed & { readonly seal?: unknown }): string =>
  createHmac("sha256", key).update(toCanonicalJson(content)).digest("hex");

export const seal = (key: Buffer, content: Unsealed): ProgramApproval => ({
  ...content,
  seal: toSeal(key, content),
});

export const isSealed = (key: Buffer, approval: JsonObject): boolean => {
  const [given, wanted] = [String(approval.seal), toSeal(key, approval as unknown as Unsealed)];
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
};

/** Given for this run, caller and policy, and not expired. */
export const isOf = (approval: JsonObject, facts: Readonly<Record<string, string>>): boolean =>
  Object.entries(facts).every(([name, value]) => approval[name] === value) &&
  Date.parse(String(approval.expiresAt)) > Date.now();

/** What people read of the approvals of a run. */
export const describeApprovals = (approvals: readonly JsonObject[]): readonly JsonObject[] | undefined => {
  const shown = ["at", "expiresAt", "approver", "entries", "shown"];
  if (approvals.length === 0) return undefined;
  return approvals.map((approval) =>
    Object.fromEntries(
      Object.entries(approval).filter((field): field is [string, Json] => shown.includes(field[0])),
    ),
  );
};
