// Warns about or refuses skills that are not signed.
import { posix } from "node:path";
import type { Diagnostic } from "../../checker/index.js";
import { CoordinatorError, type StoredSkill } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { SkillIntegrity, SkillModule } from "./sign-skills.js";

/** By file. */
export type SignatureFindings = Map<string, Diagnostic>;

/** Undefined if the setting is off. */
export const readIntegrity = async (
  { skills, configuration }: Pick<Host, "skills" | "configuration">,
  skill: StoredSkill,
): Promise<SkillIntegrity | undefined> =>
  configuration.settings.skillSignatures === "off" ? undefined : skills.signing.judge(skill);

/** Agents must neither find nor read it: the setting is strict, and it is not as it was signed. */
export const isWithheld = async (
  host: Pick<Host, "skills" | "configuration">,
  skill: StoredSkill,
): Promise<boolean> =>
  host.configuration.settings.skillSignatures === "strict" &&
  (await host.skills.signing.judge(skill)) !== "signed";

/** What people and models read in front of its description. Undefined: it is as it was signed. */
export const toMark = (integrity: SkillIntegrity | undefined): string | undefined =>
  integrity === "edited" ? "Edited outside" : integrity === "unsigned" ? "Not accepted yet" : undefined;

const describe = (name: string, integrity: SkillIntegrity): string =>
  integrity === "edited"
    ? `${name} was edited outside of mcp-coordinator`
    : `${name} was neither saved nor accepted on this machine`;

/** Throws SKILL_UNSIGNED if the setting is strict. */
const note = (
  { configuration, toCommand }: Pick<Host, "configuration" | "toCommand">,
  findings: SignatureFindings,
  { name, file, accept }: { readonly name: string; readonly file: string; readonly accept: string },
  integrity: SkillIntegrity | undefined,
): void => {
  if (integrity === undefined || integrity === "signed") return;
  const message = describe(name, integrity);
  const hint = `A person can review and accept it: ${toCommand(["skills", "accept", accept])}`;
  if (configuration.settings.skillSignatures === "strict")
    throw new CoordinatorError("SKILL_UNSIGNED", `Cannot use a skill: ${message}`, { hint });
  findings.set(file, {
    severity: "warning",
    code: "SKILL_UNSIGNED",
    file: `skills/${file}`,
    ...{ line: 1, column: 1, excerpt: "", message, hint },
  });
};

export const judgeSkill = async (
  host: Pick<Host, "configuration" | "skills" | "toCommand">,
  skill: StoredSkill,
  findings: SignatureFindings = new Map(),
): Promise<void> => {
  const { path, file } = skill;
  note(host, findings, { name: `The skill "${path}"`, file, accept: path }, await readIntegrity(host, skill));
};

/** A file beside a skill. */
export const judgeModule = async (
  host: Pick<Host, "configuration" | "skills" | "toCommand">,
  module: SkillModule,
  findings: SignatureFindings,
): Promise<void> => {
  const { skills, configuration } = host;
  const isOff = configuration.settings.skillSignatures === "off";
  const integrity = isOff ? undefined : await skills.signing.judgeModule(module);
  const { file } = module;
  const folder = posix.dirname(file);
  const accept = folder.endsWith("/scripts") ? posix.dirname(folder) : folder;
  note(host, findings, { name: `The file "skills/${file}"`, file, accept }, integrity);
};
