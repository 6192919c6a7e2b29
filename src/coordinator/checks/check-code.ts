// Checks a program against the tools it can reach, before anything runs.
import type { CheckResult, PreparedProgram } from "../../checker/index.js";
import {
  type EffectManifest,
  type ProgramDiagnostic,
  type RunRequest,
  withinTime,
} from "../../contracts/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { openDecisions } from "../policies/open-policies.js";
import { findBlockedCode } from "../runs/guard-run.js";
import { type RunRights, toRunRights } from "../runs/run-rights.js";
import { checkWithModules } from "./check-program.js";
import { prepareProgram } from "./checker.js";
import { checkSize, collectAdapters, type ReachedAdapters } from "./collect-adapters.js";
import { findSyntaxError } from "./python-libraries.js";

/** A program to check without running it, under the same restrictions as a run. */
export interface CheckCodeRequest
  extends Pick<RunRequest, "code" | "language" | "session" | "workspace" | "servers" | "profile" | "signal"> {
  /** How long to wait for servers whose tools are not known. @default until each has answered or failed */
  readonly waitMs?: number | undefined;
}

/** The errors of a program and the tools that it can call. */
export interface CheckCodeResult {
  /** True if there is no error. */
  readonly isValid: boolean;
  readonly diagnostics: readonly ProgramDiagnostic[];
  /** Further findings that are not listed, if there are too many. */
  readonly omitted?: number | undefined;
  /** The tools that the program can call. */
  readonly manifest: EffectManifest;
  /** Servers in the program whose tools are not known. Calls to them were not checked. */
  readonly unlisted?: readonly string[] | undefined;
}

/** A parsed program with the adapters that it imports, and what it may use. */
export interface PreparedCheck {
  readonly program: PreparedProgram;
  readonly adapters: ReachedAdapters;
  readonly rights: RunRights;
  /** The caller asked only for the check, so it may take its time. */
  readonly isRequested?: boolean | undefined;
}

/** Reports what is wrong with a program and what it can call. Throws PROGRAM_INVALID if it cannot be parsed. */
export const checkCode = async (all: Host, request: CheckCodeRequest): Promise<CheckCodeResult> => {
  const given = forWorkspace(all, request.workspace);
  const host = { ...given, requester: { ...given.requester, signal: request.signal } };
  const { language = "typescript" } = request;
  const rights = toRunRights(host, request);
  checkSize(Buffer.byteLength(request.code), 0, rights.limits.codeBytes);
  const program = await prepareProgram(host.requester, request.code, {
    language,
    isSession: request.session !== undefined,
  });
  const adapters = await collectAdapters(host, program, { language, codeBytes: rights.limits.codeBytes });
  const prepared = { program, adapters, rights, isRequested: true };
  const { omitted, manifest, isGuessed, ...check } = await checkPrepared(host, request, prepared);
  const blocked = await findBlockedCode(host, request.code, adapters);
  const diagnostics = [...blocked.map(({ error: _, ...found }) => found), ...check.diagnostics];
  if (isGuessed === true) {
    const error = await findSyntaxError(host, program, rights);
    if (error !== undefined) throw error;
  }
  const isValid = diagnostics.every(({ severity }) => severity !== "error");
  const unchecked = diagnostics.filter(({ code }) => code === "NOT_CHECKED");
  const unlisted =
    unchecked.length === 0
      ? []
      : listNamed(host, request.code, prepared).filter((server) =>
          unchecked.some(({ message }) => message.includes(`"${server}"`)),
        );
  return {
    isValid,
    diagnostics,
    omitted,
    manifest,
    unlisted: unlisted.length === 0 ? undefined : unlisted,
  };
};

/** If a program is refused because of a server's tools, asks the server for its current tools and checks again. */
export const checkPrepared = async (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
): Promise<CheckResult> => {
  const { unsigned = [] } = prepared.adapters;
  const check = await checkTwice(host, request, prepared);
  const { maxRepeats } = openDecisions(host.configuration, []);
  return {
    ...check,
    manifest: withBound(check.manifest, maxRepeats),
    diagnostics: unsigned.length === 0 ? check.diagnostics : [...check.diagnostics, ...unsigned],
  };
};

/** How often a call in a loop may be made under one approval is up to the policy. */
const withBound = (manifest: EffectManifest, max: number): EffectManifest => ({
  ...manifest,
  calls: manifest.calls.map((call) => (call.count === "many" ? { ...call, max } : call)),
});

const checkTwice = async (
  host: Host,
  request: CheckCodeRequest,
  prepared: PreparedCheck,
): Promise<CheckResult> => {
  const check = await checkWithModules(host, request, prepared);
  const isRefused = check.diagnostics.some(
    ({ severity, code }) => severity === "error" && !ownCodes.has(code),
  );
  if (!isRefused) return check;
  const named = listNamed(host, request.code, prepared);
  const used = named.map((server) => host.catalogs.get(server));
  const isKnown = (_server: string, at: number): boolean => used[at] !== undefined;
  const renewing = Promise.all(named.filter(isKnown).map(host.upstreams.renew));
  await withinTime(renewing, { timeMs: request.waitMs }).catch(() => {});
  // Drop an outdated catalog.
  const isChanged = named.some((server, at) => host.catalogs.get(server) !== used[at]);
  return isChanged ? checkWithModules(host, request, prepared) : check;
};

/** Mistakes that no change of a server can fix. */
const ownCodes = new Set(["AWAIT_MISSING", "NAME_UNKNOWN", "SERVER_UNKNOWN"]);

/** Servers named in the program or in what it imports. */
const listNamed = (
  host: Host,
  code: string,
  { program, adapters, rights }: PreparedCheck,
): readonly string[] => {
  const texts = [code, ...adapters.modules.map(({ text }) => text)];
  const modules = [program, ...adapters.modules];
  return [...host.identifiers]
    .filter(([server]) => rights.servers?.includes(server) !== false)
    .filter(
      ([server, identifier]) =>
        modules.some(({ words }) => words.has(identifier)) ||
        texts.some((text) => text.includes(identifier) || text.includes(server)),
    )
    .map(([server]) => server);
};
