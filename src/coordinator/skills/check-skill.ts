// Checks whether a skill still fits the tools that it calls. Repeated when its text or one of the tools changes.
import { hash } from "node:crypto";
import { toServerCatalog } from "../../catalog/index.js";
import type { CheckResult } from "../../checker/index.js";
import {
  CoordinatorError,
  type EffectManifest,
  type Language,
  type ProgramDiagnostic,
  type ServerCatalog,
  type SkillPin,
  type StoredSkill,
} from "../../contracts/index.js";
import { checkPrepared } from "../checks/check-code.js";
import { prepareModule, prepareProgram } from "../checks/checker.js";
import { isRequesterFault } from "../checks/checker-queue.js";
import { collectAdapters, type ReachedAdapters } from "../checks/collect-adapters.js";
import { type Host, readCatalog } from "../host/host.js";
import { toRunRights } from "../runs/run-rights.js";

/** `broken`: it contains a mistake, or no longer fits its tools. `unchecked`: cannot be determined. */
export type SkillState = "ready" | "broken" | "unchecked";

export interface SkillVerdict {
  readonly state: SkillState;
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly changedTools: readonly string[];
}

interface SkillText {
  readonly language: Language;
  /** Relative to the skills folder. */
  readonly file: string;
  readonly source: string;
}

/** Checks a skill's text like a program that imports it. Throws PROGRAM_INVALID with its file. */
export const checkSkillText = async (
  host: Host,
  { language, file, source }: SkillText,
): Promise<CheckResult> => {
  const name = `skills/${file}`;
  const text = { path: name.replace(/\.[mj]?[tj]s$/, ""), file: name, source };
  const module = await prepareModule(host.requester, text, language);
  const request = { code: "", language };
  const rights = toRunRights(host, request);
  const { codeBytes } = rights.limits;
  const reached = await collectAdapters(host, module, { language, codeBytes });
  const adapters: ReachedAdapters = {
    ...reached,
    modules: [module, ...reached.modules.filter((one) => one.file !== name)],
  };
  const program = await prepareProgram(host.requester, "", { language, isSession: false });
  return checkPrepared(host, request, { program, adapters, rights, isRequested: true });
};

/** What is known of a server without starting it. */
const readKnown = async (host: Host, server: string): Promise<ServerCatalog | "gone" | undefined> => {
  if (!host.configuration.servers.some(({ name }) => name === server)) return "gone";
  const known = host.catalogs.get(server);
  if (known !== undefined) return known;
  const listing = await host.upstreams.peek(server).catch(() => undefined);
  return listing === undefined ? undefined : toServerCatalog(listing, host.identifiers.get(server) ?? server);
};

const listChanged = async (host: Host, pins: readonly SkillPin[]): Promise<readonly SkillPin[]> => {
  const changed = await Promise.all(
    pins.map(async (pin) => {
      const catalog = await readKnown(host, pin.server);
      if (catalog === undefined) return [];
      const now = catalog === "gone" ? undefined : catalog.find(pin.tool)?.fingerprint;
      return now === pin.fingerprint ? [] : [pin];
    }),
  );
  return changed.flat();
};

const maxVerdicts = 500;

/** Starts no server if the skill's text and tools are unchanged since it was saved. */
export const checkSkill = async (host: Host, skill: StoredSkill): Promise<SkillVerdict> => {
  const { record, source } = skill;
  const changed = await listChanged(host, record?.pins ?? []);
  const changedTools = changed.map(({ server, tool }) => `${server}.${tool}`);
  if (record !== undefined && !skill.isEdited && changed.length === 0)
    return { state: "ready", diagnostics: [], changedTools };
  const prints = [...host.catalogs.values()].flatMap(({ tools }) =>
    tools.map(({ fingerprint }) => fingerprint),
  );
  const key = hash("sha256", JSON.stringify([skill.file, source, changed, prints]));
  const { verdicts } = host.skills;
  const known =
    verdicts.get(key) ??
    (await checkSkillText(host, skill).catch((thrown: unknown) => {
      if (isRequesterFault(thrown)) throw thrown;
      return { diagnostics: [toDiagnostic(thrown, skill)], isGuessed: false };
    }));
  verdicts.delete(key);
  verdicts.set(key, known);
  const [oldest] = verdicts.keys();
  if (verdicts.size > maxVerdicts && oldest !== undefined) verdicts.delete(oldest);
  const { diagnostics, isGuessed } = known;
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  return {
    state: isBroken ? "broken" : isGuessed === true ? "unchecked" : "ready",
    diagnostics,
    changedTools,
  };
};

/** The finding for a text that cannot be parsed. */
const toDiagnostic = (thrown: unknown, { file }: StoredSkill): ProgramDiagnostic => {
  const { message, hint, details } =
    thrown instanceof CoordinatorError ? thrown : { message: String(thrown), hint: "", details: {} };
  const place = (details ?? {}) as Partial<ProgramDiagnostic>;
  return {
    severity: "error",
    code: "SYNTAX",
    file: place.file ?? `skills/${file}`,
    line: place.line ?? 1,
    column: place.column ?? 1,
    excerpt: place.excerpt ?? "",
    message,
    hint,
  };
};

/** Throws SKILL_BROKEN with the place of the first mistake. The others are in the details. */
export const refuseBroken = async (host: Host, skill: StoredSkill): Promise<void> => {
  const { state, diagnostics } = await checkSkill(host, skill);
  if (state === "broken") throw skillBroken(skill.path, diagnostics);
};

const skillBroken = (path: string, diagnostics: readonly ProgramDiagnostic[]): CoordinatorError => {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  return new CoordinatorError(
    "SKILL_BROKEN",
    `Cannot run the skill "${path}": ${first?.file}, line ${first?.line}: ${first?.message}`,
    {
      hint: `${first?.hint === undefined ? "" : `${first.hint}${/[.?!]$/.test(first.hint) ? "" : "."} `}Correct it and save it again, or run it unchecked.`,
      details: {
        file: first?.file,
        line: first?.line,
        column: first?.column,
        excerpt: first?.excerpt,
        diagnostics,
      },
    },
  );
};

/** The current versions of the tools that a skill calls. */
export const pinTools = async (host: Host, { calls }: EffectManifest): Promise<readonly SkillPin[]> => {
  const tools = new Map(calls.map(({ server, tool }) => [`${server}\n${tool}`, { server, tool }]));
  const pins = await Promise.all(
    [...tools.values()].map(async ({ server, tool }) => {
      const found = (await readCatalog(host, server).catch(() => undefined))?.find(tool);
      return found === undefined ? [] : [{ server, tool: found.name, fingerprint: found.fingerprint }];
    }),
  );
  return pins.flat();
};
