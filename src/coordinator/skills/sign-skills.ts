// Signs skills when they are saved, verifies them when they are read, and warns about or refuses those that are not signed. The key is that of
// approvals.
import { createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto";
import { posix } from "node:path";
import type { Diagnostic } from "../../checker/index.js";
import { CoordinatorError, once, type StoredSkill, toCanonicalJson } from "../../contracts/index.js";
import { openSealStore, openSecretFile } from "../../store/index.js";
import type { Host } from "../host/host.js";

/** `unsigned`: never saved or accepted here. `edited`: differs from what was signed, or is an older version that was put back. */
export type SkillIntegrity = "signed" | "unsigned" | "edited";

/** What is signed of a skill: exactly what is used of it, as it was read. */
export type SignedSkill = Pick<
  StoredSkill,
  "path" | "language" | "version" | "description" | "tags" | "source" | "documentHash" | "isShared"
>;

/** A file beside a skill that it imports. */
export interface SkillModule {
  /** Relative to the skills folder. */
  readonly file: string;
  readonly source: string;
}

export interface SkillSigning {
  readonly verify: (skill: SignedSkill & Pick<StoredSkill, "versions">) => Promise<SkillIntegrity>;
  readonly verifyModule: (module: SkillModule) => Promise<SkillIntegrity>;
  /** `isNewest`: makes this the newest version. @default true */
  readonly sign: (
    skill: SignedSkill,
    options?: { readonly modules?: readonly SkillModule[]; readonly isNewest?: boolean },
  ) => Promise<void>;
  /** Removes the signature of one version, or those of all versions. */
  readonly forget: (
    skill: Pick<SignedSkill, "path" | "language" | "isShared">,
    version?: number,
  ) => Promise<void>;
}

/** The folders of skills. They are signed too, so that a signature is invalid in another folder. */
export interface SkillFolders {
  readonly stateFolder: string;
  readonly own: string;
  readonly shared: string;
}

export const openSkillSigning = ({ stateFolder, own, shared }: SkillFolders): SkillSigning => {
  const store = openSealStore(stateFolder);
  const readKey = once(async () => {
    const secret = await openSecretFile(stateFolder, "approval.key").read();
    const key = Buffer.from(hkdfSync("sha256", secret, "", "mcp-coordinator skill signature", 32));
    return { key, id: hash("sha256", key).slice(0, 8) };
  });
  const toSeal = async (content: unknown): Promise<string> => {
    const { key, id } = await readKey();
    return `${id}.${createHmac("sha256", key).update(toCanonicalJson(content)).digest("hex")}`;
  };
  /** A signature of another key proves nothing. */
  const compare = async (given: string | undefined, content: unknown): Promise<SkillIntegrity> => {
    if (given === undefined) return "unsigned";
    const wanted = await toSeal(content);
    const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
    if (one.length === other.length && timingSafeEqual(one, other)) return "signed";
    return given.split(".")[0] === wanted.split(".")[0] ? "edited" : "unsigned";
  };
  const toFolder = (isShared: boolean | undefined): string => (isShared === true ? shared : own);
  const toName = ({
    path,
    language,
    isShared,
  }: Pick<SignedSkill, "path" | "language" | "isShared">): string =>
    `${toFolder(isShared)} ${language} ${path}`;
  const toContent = ({ path, language, version, description, tags, source, isShared }: SignedSkill) => ({
    folder: toFolder(isShared),
    path,
    language,
    version,
    description,
    tags,
    source: hash("sha256", source),
  });
  const toModule = ({ file, source }: SkillModule) => ({
    folder: shared,
    file,
    source: hash("sha256", source),
  });
  const toModuleName = ({ file }: SkillModule): string => `${shared} file ${file}`;
  const newestOf = (name: string, version: number) => ({ name, newest: version });
  /** Agents read the whole SKILL.md. Only the newest version has one. */
  const toDocumentName = (name: string): string => `${name} document`;
  const documentOf = (name: string, { version, documentHash = "" }: SignedSkill) => ({
    name,
    version,
    document: documentHash,
  });
  /** Without a key that can be read, nothing is signed. */
  const orUnsigned = (verified: Promise<SkillIntegrity>): Promise<SkillIntegrity> =>
    verified.catch((): SkillIntegrity => "unsigned");

  return {
    verify: (skill) =>
      orUnsigned(
        (async () => {
          const seals = await store.read();
          const name = toName(skill);
          const found = await compare(seals.get(`${name} ${skill.version}`), toContent(skill));
          const newest = seals.get(name);
          if (found === "unsigned" && (await compare(newest, newestOf(name, skill.version))) === "edited")
            return "edited";
          const isNewest = skill.version === skill.versions.at(-1);
          if (found !== "signed" || !isNewest) return found;
          const current = await compare(newest, newestOf(name, skill.version));
          if (current !== "signed") return current;
          const document = seals.get(toDocumentName(name));
          if (document === undefined && skill.documentHash === undefined) return "signed";
          return (await compare(document, documentOf(name, skill))) === "signed" ? "signed" : "edited";
        })(),
      ),
    verifyModule: (module) =>
      orUnsigned((async () => compare((await store.read()).get(toModuleName(module)), toModule(module)))()),
    sign: async (skill, { modules = [], isNewest = true } = {}) => {
      const name = toName(skill);
      const made: readonly (readonly [string, string])[] = [
        [`${name} ${skill.version}`, await toSeal(toContent(skill))],
        ...(isNewest
          ? ([
              [name, await toSeal(newestOf(name, skill.version))],
              [toDocumentName(name), await toSeal(documentOf(name, skill))],
            ] as const)
          : []),
        ...(await Promise.all(
          modules.map(async (module) => [toModuleName(module), await toSeal(toModule(module))] as const),
        )),
      ];
      await store.change((seals) => {
        for (const [key, seal] of made) seals.set(key, seal);
      });
    },
    forget: async (skill, version) => {
      const name = toName(skill);
      await store.change((seals) => {
        for (const key of [...seals.keys()])
          if (version === undefined ? isSealOf(key, name) : key === `${name} ${version}`) seals.delete(key);
      });
    },
  };
};

const isSealOf = (key: string, name: string): boolean =>
  key === name || (key.startsWith(`${name} `) && /^(?:\d+|document)$/.test(key.slice(name.length + 1)));

/** File → the finding about its signature. */
export type SignatureFindings = Map<string, Diagnostic>;

/** Undefined if the setting is off. */
export const readIntegrity = async (
  { skills, configuration }: Pick<Host, "skills" | "configuration">,
  skill: StoredSkill,
): Promise<SkillIntegrity | undefined> =>
  configuration.settings.skillSignatures === "off" ? undefined : skills.signing.verify(skill);

/** Whether agents must neither find nor read the skill: the setting is `strict`, and the skill is unsigned or was edited. */
export const isWithheld = async (
  host: Pick<Host, "skills" | "configuration">,
  skill: StoredSkill,
): Promise<boolean> =>
  host.configuration.settings.skillSignatures === "strict" &&
  (await host.skills.signing.verify(skill)) !== "signed";

/** What people and models read before its description; undefined if the skill is signed and unchanged. */
export const toMark = (integrity: SkillIntegrity | undefined): string | undefined =>
  integrity === "edited" ? "Edited outside" : integrity === "unsigned" ? "Not accepted yet" : undefined;

const describe = (name: string, integrity: SkillIntegrity): string =>
  integrity === "edited"
    ? `${name} was edited outside of mcp-coordinator`
    : `${name} was neither saved nor accepted on this machine`;

/** Adds a warning about a text that is not signed. Throws SKILL_UNSIGNED if the setting is strict. */
const report = (
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
    line: 1,
    column: 1,
    excerpt: "",
    message,
    hint,
  });
};

export const verifySkill = async (
  host: Pick<Host, "configuration" | "skills" | "toCommand">,
  skill: StoredSkill,
  findings: SignatureFindings = new Map(),
): Promise<void> => {
  const { path, file } = skill;
  report(
    host,
    findings,
    { name: `The skill "${path}"`, file, accept: path },
    await readIntegrity(host, skill),
  );
};

/** A file beside a skill. */
export const verifyModule = async (
  host: Pick<Host, "configuration" | "skills" | "toCommand">,
  module: SkillModule,
  findings: SignatureFindings,
): Promise<void> => {
  const { skills, configuration } = host;
  const isOff = configuration.settings.skillSignatures === "off";
  const integrity = isOff ? undefined : await skills.signing.verifyModule(module);
  const { file } = module;
  const folder = posix.dirname(file);
  const accept = folder.endsWith("/scripts") ? posix.dirname(folder) : folder;
  report(host, findings, { name: `The file "skills/${file}"`, file, accept }, integrity);
};
