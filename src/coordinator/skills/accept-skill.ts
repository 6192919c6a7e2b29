// A person reviews a skill that is not signed, and accepts exactly what was shown.
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { CoordinatorError, type StoredSkill } from "../../contracts/index.js";
import { forWorkspace, type Host } from "../host/host.js";
import { findSkill, type SkillName } from "./find-skill.js";
import type { SkillIntegrity, SkillModule } from "./sign-skills.js";

/** A skill as a person sees it before it is accepted. */
export interface ReviewedSkill {
  readonly path: string;
  readonly version: number;
  readonly description: string;
  readonly integrity: SkillIntegrity;
  /** Its program first, then its SKILL.md and the other text files beside it. */
  readonly files: readonly (SkillModule & { readonly integrity: SkillIntegrity })[];
  /** Identifies what was shown. */
  readonly digest: string;
}

interface ReadSkill {
  readonly skill: StoredSkill;
  /** Its SKILL.md. */
  readonly document: SkillModule | undefined;
  readonly modules: readonly SkillModule[];
  readonly digest: string;
}

const programFile = /\.(?:[mj]?[tj]s|mts|mjs|py)$/;
const documentName = "SKILL.md";
/** Its record, recorded tests and older versions are no texts for agents. */
const ownFile = /^(?:skill\.json$|tests\/|versions\/)/;

/** Read once: what is shown, compared and signed is the same text. */
const readWhole = async (host: Host, request: SkillName): Promise<ReadSkill> => {
  const skill = await findSkill(host, request);
  const store = await host.skills.open();
  const isFolder = skill.file.startsWith(`${skill.path}/`);
  const isNewest = skill.version === skill.versions.at(-1);
  const beside = isFolder && isNewest ? await store.readFiles(skill.path) : [];
  const texts = beside
    .filter(({ path, content }) => programFile.test(path) || (!ownFile.test(path) && isUtf8(content)))
    .map(({ path, content }) => ({
      file: `${skill.path}/${path}`,
      source: Buffer.from(content).toString("utf8"),
    }));
  const document = texts.find(({ file }) => file === `${skill.path}/${documentName}`);
  const modules = texts.filter((text) => text !== document && text.file !== skill.file);
  const { path, language, version, description, tags, source } = skill;
  const digest = hash(
    "sha256",
    JSON.stringify([path, language, version, description, tags, source, document, modules]),
  );
  const documentHash = document && hash("sha256", document.source);
  return { skill: { ...skill, documentHash }, document, modules, digest };
};

export const reviewSkill = async (all: Host, request: SkillName): Promise<ReviewedSkill> => {
  const host = forWorkspace(all, request.workspace);
  const { signing } = host.skills;
  const { skill, document, modules, digest } = await readWhole(host, request);
  const { path, version, description, file, source } = skill;
  const integrity = await signing.verify(skill);
  const beside = await Promise.all(
    modules.map(async (module) => ({ ...module, integrity: await signing.verifyModule(module) })),
  );
  const own = [{ file, source }, ...(document === undefined ? [] : [document])];
  const files = [...own.map((one) => ({ ...one, integrity })), ...beside];
  return { path, version, description, integrity, files, digest };
};

/** The skill to sign, exactly as a person reviewed it. */
export interface AcceptSkillRequest extends SkillName {
  /** The digest of what the person has seen. */
  readonly digest: string;
}

/** Throws SKILL_UNSIGNED if it is no longer what was shown. */
export const acceptSkill = async (all: Host, request: AcceptSkillRequest): Promise<void> => {
  const host = forWorkspace(all, request.workspace);
  const { skill, modules, digest } = await readWhole(host, request);
  if (digest !== request.digest)
    throw new CoordinatorError(
      "SKILL_UNSIGNED",
      `Cannot accept the skill "${skill.path}": it has changed since it was shown`,
      { hint: "Review it again." },
    );
  const isNewest = skill.version === skill.versions.at(-1);
  await host.skills.signing.sign(skill, { modules, isNewest });
};
