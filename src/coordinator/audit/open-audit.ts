// Records decisions and calls of this process: queues lines, adds them to the chain in batches, and passes them to listeners.
import { hash } from "node:crypto";
import { join } from "node:path";
import {
  type AttemptFacts,
  type AuditEntry,
  type AuditedDecision,
  type AuditedFacts,
  type CallAudit,
  CoordinatorError,
  type Settings,
  toCoordinatorError,
} from "../../contracts/index.js";
import {
  type AuditFiles,
  hashArguments,
  type LooseEntry,
  openAuditFiles,
  openSecretFile,
} from "../../store/index.js";
import type { Host } from "../host/host.js";
import { listRoles, readPolicyVersion } from "../policies/open-policies.js";
import { type LinePoster, openLinePoster } from "./post-lines.js";

/** Gets every line, in the order of the chain. If the audit is required, a call waits for it. */
export type OnAudit = (entry: AuditEntry) => void | Promise<void>;

/** Who makes calls, and under which rules. */
export interface AuditOrigin {
  readonly caller?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly run?: string | undefined;
  readonly program?: string | undefined;
  readonly policy?: string | undefined;
}

export interface Audit {
  readonly files: AuditFiles;
  /** The audit of one call. Undefined if the audit is off. */
  readonly open: ((origin: AuditOrigin, facts: AuditedFacts) => CallAudit) | undefined;
  /** Resolves when every line has been written. */
  readonly close: () => Promise<void>;
}

/** Lines that wait for the disk. Beyond that they are counted and lost, unless the audit is required. */
const maxWaiting = 10_000;

export const openAudit = (
  { audit: mode, auditLog, stateFolder }: Settings,
  {
    environment,
    onAudit,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly onAudit?: OnAudit | undefined;
  },
): Audit => {
  const isRequired = mode === "required";
  const secret = openSecretFile(stateFolder, "audit.key");
  const files = openAuditFiles({
    ...auditLog,
    folder: join(stateFolder, "audit"),
    readKey: secret.read,
    isSynced: isRequired,
  });
  if (mode === "off" && onAudit === undefined) return { files, open: undefined, close: async () => {} };
  const poster = auditLog.postTo === undefined ? undefined : openLinePoster(auditLog, environment);
  const deliver = toDelivery(auditLog.toStderr, onAudit, poster, isRequired);
  const queue = openQueue(files, deliver);
  const pending = new Set<Promise<unknown>>();
  const track = (written: Promise<void>): Promise<void> => {
    const settled = written.catch(() => {}).finally(() => pending.delete(settled));
    pending.add(settled);
    return written;
  };

  const record = async (entry: LooseEntry): Promise<void> => {
    try {
      if (isRequired && poster?.isFull() === true) throw new Error("the endpoint does not take lines");
      await queue.add(entry);
    } catch (cause) {
      if (isRequired) throw notRecorded(entry, cause);
    }
  };

  return {
    files,
    open: (origin, facts) =>
      openCallAudit({ record, track, isRequired, readKey: secret.read }, origin, facts),
    close: async () => {
      await Promise.all(pending);
      await poster?.close();
    },
  };
};

interface Recording {
  readonly record: (entry: LooseEntry) => Promise<void>;
  /** Lets the audit close only when it is done. */
  readonly track: (written: Promise<void>) => Promise<void>;
  readonly isRequired: boolean;
  readonly readKey: () => Promise<Buffer>;
}

const openCallAudit = (
  { record, track, isRequired, readKey }: Recording,
  origin: AuditOrigin,
  { arguments: given, ...facts }: AuditedFacts,
): CallAudit => {
  let known: Promise<LooseEntry["arguments"]> | undefined;
  const write = async (fields: Partial<LooseEntry> & Pick<LooseEntry, "kind">): Promise<void> => {
    const at = new Date().toISOString();
    // Arguments are hashed once, and without a key nothing can be recorded.
    known ??= readKey().then((key) => hashArguments(key, given));
    const hashed = await known.catch((cause: unknown) => {
      if (isRequired) throw notRecorded(facts, cause);
      return undefined;
    });
    const { kind, ...rest } = fields;
    await record({ at, kind, ...origin, ...facts, arguments: hashed, ...rest });
  };
  let attempt = 0;
  const decide = async (kind: "decision" | "guardrail", decided: AuditedDecision): Promise<void> => {
    const written = track(write({ kind, ...decided }));
    if (isRequired) await written;
    else written.catch(() => {});
  };
  return {
    decide: (decided) => decide("decision", decided),
    noteGuardrail: (decided) => decide("guardrail", decided),
    attempt: async (make, measure) => {
      const number = ++attempt;
      const startedAt = performance.now();
      const end = async (ended: AttemptFacts): Promise<void> => {
        const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
        const written = track(
          write({ kind: "call", attempt: number, durationMs, outcome: "answered", ...ended }),
        );
        // The call was made, so its answer is returned. The next call fails if nothing can be recorded.
        const settled = written.catch(() => {});
        if (isRequired) await settled;
      };
      try {
        const result = await make();
        await end(measure?.(result) ?? {});
        return result;
      } catch (thrown) {
        await end({ outcome: toCoordinatorError(thrown).code });
        throw thrown;
      }
    },
  };
};

const notRecorded = ({ server, tool }: Pick<LooseEntry, "server" | "tool">, cause: unknown) =>
  new CoordinatorError(
    "AUDIT_FAILED",
    `Cannot call "${server}.${tool ?? "?"}": the audit is required, and the call could not be recorded`,
    { cause },
  );

/** Lines that come while others are written are written together. */
const openQueue = (files: AuditFiles, deliver: (lines: readonly string[]) => Promise<void>) => {
  let waiting: LooseEntry[] = [];
  let lost = 0;
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    next = undefined;
    const counted = lost;
    const gap: readonly LooseEntry[] =
      counted === 0 ? [] : [{ kind: "gap", at: new Date().toISOString(), lost: counted }];
    let lines: readonly string[];
    try {
      lines = await files.append([...gap, ...batch]);
    } catch (error) {
      lost += batch.length;
      throw error;
    }
    // More may have been lost while these were written.
    lost -= counted;
    await deliver(lines);
  };
  return {
    /** Resolves when the line has been written and passed on. */
    add: async (entry: LooseEntry): Promise<void> => {
      if (waiting.length >= maxWaiting) {
        lost++;
        throw new Error("Too many lines wait for the disk");
      }
      waiting.push(entry);
      if (next === undefined) {
        next = last.catch(() => {}).then(write);
        last = next;
        next.catch(() => {});
      }
      return next;
    },
  };
};

const toDelivery =
  (toStderr: boolean, onAudit: OnAudit | undefined, poster: LinePoster | undefined, isRequired: boolean) =>
  async (lines: readonly string[]): Promise<void> => {
    poster?.add(lines);
    for (const line of lines) {
      if (toStderr) process.stderr.write(`${line}\n`);
      try {
        await onAudit?.(JSON.parse(line) as AuditEntry);
      } catch (error) {
        if (isRequired) throw error;
      }
    }
  };

export interface AuditedBy {
  readonly caller?: string | undefined;
  readonly runId?: string | undefined;
  /** The program. */
  readonly code?: string | undefined;
  /** The approval rules that apply in addition. */
  readonly approve: readonly string[];
}

/** Opens the audit of each call that the same run or caller makes. Undefined if the audit is off. */
export const openAuditOf = (
  { audit, configuration }: Pick<Host, "audit" | "configuration">,
  { caller, runId, code, approve }: AuditedBy,
): ((facts: AuditedFacts) => CallAudit) | undefined => {
  const { open } = audit;
  if (open === undefined) return undefined;
  const program = code === undefined ? undefined : hash("sha256", code);
  return (facts) => {
    const roles = listRoles(configuration, caller);
    const origin = {
      caller,
      roles: roles.length === 0 ? undefined : roles,
      run: runId,
      program,
      // An edited policy applies to runs in progress, too.
      policy: readPolicyVersion(configuration, approve),
    };
    return open(origin, facts);
  };
};
