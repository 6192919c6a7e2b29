// Skills as resources: `skill://<path>/SKILL.md` and the text files beside it.
import { isUtf8 } from "node:buffer";
import type { Host } from "../host/host.js";
import { mimeTypes, resourceUnknown } from "../library/library-address.js";
import type { LibraryResource, ResourceText } from "../library/library-verbs.js";
import { checkSkill } from "./check-skill.js";
import { readSkillFiles } from "./list-skills.js";

const scheme = "skill://";

export const isSkillAddress = (uri: string): boolean => uri.startsWith(scheme);

/** Skills with a SKILL.md. A skill in a single file has none. */
export const listSkillResources = async (host: Host): Promise<readonly LibraryResource[]> => {
  const skills = await (await host.skills.open()).list();
  const documented = skills.filter(({ path, file }) => file.startsWith(`${path}/`));
  return Promise.all(
    documented.map(async (skill) => {
      const { path, description } = skill;
      const isBroken = (await checkSkill(host, skill)).state === "broken";
      const shown = description === "" ? `The skill "${path}"` : description;
      return {
        uri: `${scheme}${path}/SKILL.md`,
        name: path,
        description: isBroken ? `Broken, cannot be run: ${shown}` : shown,
        mimeType: mimeTypes.markdown,
      };
    }),
  );
};

const toMimeType = (file: string): string => {
  if (file.endsWith(".md")) return mimeTypes.markdown;
  if (file.endsWith(".py")) return mimeTypes.python;
  if (file.endsWith(".json")) return "application/json";
  return /\.[mc]?ts$/.test(file) ? mimeTypes.typescript : "text/plain";
};

export const readSkillResource = async (host: Host, uri: string): Promise<ResourceText> => {
  const wanted = uri.slice(scheme.length);
  const skills = await (await host.skills.open()).list();
  const skill = skills.find(({ path }) => wanted.startsWith(`${path}/`));
  if (skill === undefined) throw resourceUnknown(uri, "there is no such skill");
  const name = wanted.slice(skill.path.length + 1);
  const file = (await readSkillFiles(host, { name: skill.path })).find(({ path }) => path === name);
  if (file === undefined || !isUtf8(file.content))
    throw resourceUnknown(uri, `the skill "${skill.path}" has no such file`);
  return { uri, mimeType: toMimeType(name), text: Buffer.from(file.content).toString("utf8") };
};
