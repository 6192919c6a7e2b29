// Lets a person approve all calls of a program with one answer, if the policy says `askBy: program`. The approval is sealed, belongs to one
// run, caller and policy, expires, and is used up call by call.
import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { CheckResult } from "../../checker/index.js";
import {
  type ApprovedProgram,
  CoordinatorError,
  type EffectManifest,
  type Json,
  type JsonObject,
  type ManifestCall,
  oncePer,
  type RunQuestion,
  type Tool,
  toCanonicalJson,
} from "../../contracts/index.js";
import { findWider, fitsEntry, openApprovedCalls, type PolicyAnswer } from "../../policy/index.js";
import { openApprovalUses, openSecretFile } from "../../store/index.js";
import { type Host, readCatalog } from "../host/host.js";
import { foreseeFlows } from "../policies/foresee-flows.js";
import { openDecisions, readPolicyVersion, toPolicyTool } from "../policies/open-policies.js";
import { renderDynamicNote, renderProgramQuestion } from "../presenting/render-manifest.js";
import { type AdmittedRun, isSimulated } from "./admit.js";
import type { PreparedRun } from "./prepare.js";

/** How long an approval can be used after it was given. */
const lifetimeMs = 24 * 60 * 60 * 1000;
/** Nobody reads more. The calls of a longer program are asked about one by one. */
const maxShown = 60_000;

export type ProgramDecision =
  /** The run waits for the answer. */
  | { readonly question: RunQuestion }
  | {
      /** An approval that has to be journaled before the first call. */
      readonly granted?: JsonObject | undefined;
      /** Undefined: people are asked call by call. */
      readonly approved?: ApprovedProgram | undefined;
    };

/** Decides whether a program may start. Throws CALL_DENIED if a person has refused it. */
export const approve = async (
  run: AdmittedRun,
  { adapters }: Pick<PreparedRun, "adapters">,
  check: CheckResult | undefined,
): Promise<ProgramDecision> => {
  const { host, request, rights, journal, runId, language } = run;
  const { configuration } = host;
  const decisions = openDecisions(configuration, rights.approve);
  const canWait = journal.store !== undefined && journal.approve !== undefined;
  if (decisions.askBy !== "program" || check === undefined || request.mode === "plan" || !canWait) return {};
  const { manifest } = check;
  const real = manifest.calls.filter(({ server }) => !isSimulated(request, server));
  const flows = await foreseeFlows(
    host,
    { ...request, runId, hasSkills: adapters.modules.length > 0 },
    { ...manifest, calls: real },
  );
  const answers = await foreseeAll(run, real, flows);
  const asked = real.filter((entry) => answers.get(entry) === "ask");
  if (asked.length === 0) return {};

  const facts = {
    runId,
    workspace: request.workspace ?? configuration.settings.workspace,
    caller: request.caller ?? "",
    language,
    policyVersion: readPolicyVersion(configuration, rights.approve),
  };
  const key = await deriveKey(host, "program approval");
  const uses = openApprovalUses(configuration.settings.stateFolder, [facts.workspace, runId]);
  const before = await uses.read();
  const valid = (journal.approvals ?? []).filter(
    (approval): approval is JsonObject & ProgramApproval =>
      isSealed(key, approval) && isValidFor(approval, facts) && before.granted.has(String(approval.id)),
  );
  const known = valid.flatMap(({ entries }) => entries);
  const wider = findWider(asked, known);
  const toApproved = (approvals: readonly ProgramApproval[]): ApprovedProgram =>
    openApprovedProgram({
      approvals,
      manifest,
      used: before.used,
      use: uses.use,
      isCurrent: () => readPolicyVersion(host.configuration, rights.approve) === facts.policyVersion,
    });
  if (wider.length === 0) return { approved: toApproved(valid) };

  const content = {
    ...facts,
    entries: wider,
    programHash: hash("sha256", request.code),
    modules: adapters.modules.map(({ file, text }) => [file, hash("sha256", text)] as const),
  };
  const shown = renderProgramQuestion({
    manifest: { ...manifest, calls: real },
    asked: wider,
    answers,
    flows,
    program: request.code,
    imported: [...new Set(content.modules.map(([file]) => file))],
    language,
    isAddition: valid.length > 0,
  });
  if (shown.length > maxShown) return {};
  const question: RunQuestion = {
    kind: "approval",
    text: shown,
    schema: { type: "boolean" },
    manifest: wider,
    digest: hash("sha256", toCanonicalJson({ ...content, shown })),
  };
  const given = journal.findAnswer?.(question);
  if (given === undefined) {
    await journal.store?.();
    return { question };
  }
  if (!("answer" in given) || given.answer !== true) {
    await journal.store?.();
    throw new CoordinatorError("CALL_DENIED", "Cannot run the program: a person did not allow its calls", {
      hint: "Change the program, or ask the person what it may do.",
    });
  }
  const now = Date.now();
  const approval = seal(key, {
    ...content,
    id: randomBytes(12).toString("hex"),
    approver: journal.approver ?? { by: "person" },
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + lifetimeMs).toISOString(),
    shown,
  });
  await uses.grant(approval.id);
  return { granted: approval as unknown as JsonObject, approved: toApproved([...valid, approval]) };
};

/** What the policy can decide on the calls of each manifest entry. Calls of an unknown tool need approval. */
const foreseeAll = async (
  { host, request, rights }: AdmittedRun,
  entries: readonly ManifestCall[],
  flows: ReadonlyMap<ManifestCall, string>,
): Promise<ReadonlyMap<ManifestCall, PolicyAnswer>> => {
  const { foresee } = openDecisions(host.configuration, rights.approve);
  const answers = new Map<ManifestCall, PolicyAnswer>();
  for (const entry of entries) {
    const catalog = await readCatalog(host, entry.server).catch(() => undefined);
    const tool = catalog?.find(entry.tool);
    const isOpen = (name: string): boolean =>
      !Object.hasOwn(entry.constants, name) &&
      (entry.isOpen === true ||
        entry.open.includes(name) ||
        Object.hasOwn(entry.choices ?? {}, name) ||
        Object.hasOwn(entry.digests ?? {}, name));
    const answer =
      tool === undefined ? "ask" : foresee(toPolicyTool(tool), entry.constants, isOpen, request.caller);
    answers.set(entry, answer === "allow" && flows.has(entry) ? "ask" : answer);
  }
  return answers;
};

interface Approved {
  readonly approvals: readonly ProgramApproval[];
  /** What the program that runs now can do. */
  readonly manifest: EffectManifest;
  readonly used: readonly (readonly string[])[];
  readonly use: (ids: readonly string[]) => Promise<void>;
  /** The policy is still the one that the approvals were given under. */
  readonly isCurrent: () => boolean;
}

const openApprovedProgram = ({ approvals, manifest, used, use, isCurrent }: Approved): ApprovedProgram => {
  const entries = new Map(
    approvals.flatMap(({ id, entries: own }) => own.map((entry, at) => [`${id}.${at}`, entry] as const)),
  );
  const calls = openApprovedCalls(entries);
  for (const ids of used) calls.take(ids);
  const expiresAt = Math.min(...approvals.map((approval) => Date.parse(approval.expiresAt)));
  const toCompared = ({ server, name, fingerprint }: Tool, given: JsonObject) => ({
    server,
    tool: name,
    fingerprint,
    arguments: given,
  });
  return {
    includes: (tool, given) =>
      manifest.hasDynamicCalls || manifest.calls.some((entry) => fitsEntry(entry, toCompared(tool, given))),
    take: async (tool, given) => {
      if (Date.now() >= expiresAt || !isCurrent()) return false;
      const ids = calls.find(toCompared(tool, given));
      if (ids.length === 0 || !calls.take(ids)) return false;
      // Written before the call is made: from then on it is used up, whatever happens to the call.
      await use(ids);
      return true;
    },
    approver: approvals.at(-1)?.approver.by === "client" ? "client" : "person",
    note: renderDynamicNote(manifest),
  };
};

/** An approval as the journal stores it, sealed with a key that never leaves the host. */
interface ProgramApproval {
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

const openSecret = oncePer(({ settings }: Host["configuration"]) =>
  openSecretFile(settings.stateFolder, "approval.key"),
);

export const deriveKey = async ({ configuration }: Host, purpose: string): Promise<Buffer> =>
  Buffer.from(
    hkdfSync("sha256", await openSecret(configuration).read(), "", `mcp-coordinator ${purpose}`, 32),
  );

type Unsealed = Omit<ProgramApproval, "seal">;

const toSeal = (key: Buffer, { seal: _, ...content }: Unsealed & { readonly seal?: unknown }): string =>
  createHmac("sha256", key).update(toCanonicalJson(content)).digest("hex");

const seal = (key: Buffer, content: Unsealed): ProgramApproval => ({
  ...content,
  seal: toSeal(key, content),
});

const isSealed = (key: Buffer, approval: JsonObject): boolean => {
  const [given, wanted] = [String(approval.seal), toSeal(key, approval as unknown as Unsealed)];
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
};

/** Given for this run, caller and policy, and not expired. */
const isValidFor = (approval: JsonObject, facts: Readonly<Record<string, string>>): boolean =>
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
