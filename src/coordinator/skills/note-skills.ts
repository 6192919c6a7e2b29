// After a completed run: counts the skills that it used and proposes its program as a skill.
import { type PreparedModule, toFunctionName } from "../../checker/index.js";
import { type CallRecord, proposedCategory, type RunRequest } from "../../contracts/index.js";
import { toSkillModule } from "../checks/checker.js";
import { isSkillPath, type ReachedAdapters } from "../checks/collect-adapters.js";
import type { Host } from "../host/host.js";
import { writeSkill } from "./write-skill.js";

/** A folder above a skill is an empty module in Python. */
const isSkill = ({ file, text }: PreparedModule): boolean => isSkillPath(file) && text !== "";

/** The skills whose files are among the modules, by path. */
const listReached = ({ modules }: ReachedAdapters): readonly string[] => {
  const files = modules.filter(isSkill).map(({ file }) => file.slice("skills/".length));
  const paths = files.map((file) =>
    // bounded: a path of a file
    file.replace(/\/(?:versions\/\d+\/)?(?:scripts\/.*|(?:main|index)\.\w+)$/, "").replace(/\.\w+$/, ""),
  );
  return [...new Set(paths)];
};

export interface EndedProgram {
  readonly runId: string;
  readonly request: RunRequest;
  readonly adapters: ReachedAdapters;
  readonly calls: readonly CallRecord[];
}

/** Called after a completed run. Never fails it. */
export const noteSkills = async (host: Host, ended: EndedProgram): Promise<void> => {
  try {
    const reached = listReached(ended.adapters);
    for (const path of reached) host.skills.noteUse(path);
    if (host.configuration.settings.proposeSkills && reached.length === 0) await propose(host, ended);
  } catch {
    // A failed write of a count or a proposal must not fail the program.
  }
};

/** A program is proposed if it called tools and another run could repeat it. */
const propose = async (host: Host, { runId, request, calls }: EndedProgram): Promise<void> => {
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  if (tools.length === 0 || request.session !== undefined) return;
  const name = tools
    .slice(0, 4)
    .map((tool) => tool.replace(/[^A-Za-z0-9]+/g, "-"))
    .join("-and-")
    .slice(0, 50)
    // bounded: cut to 50 characters above
    .replace(/^-+|-+$/g, "");
  const store = await host.skills.open();
  const known = (await store.list()).map(({ source }) => source.replace(/\s+/g, ""));
  const language = request.language ?? "typescript";
  const functionName = toFunctionName(name, language);
  const code = await toSkillModule(host.asker, {
    code: request.code,
    language,
    functionName,
    parameters: {},
  });
  if (known.includes(code.replace(/\s+/g, ""))) return;
  await writeSkill(
    host,
    {
      name,
      code,
      language,
      category: proposedCategory,
      description: `Proposed from a successful program. It calls ${[...new Set(calls.map(({ server, tool }) => `${server}.${tool}`))].join(", ")}.`,
    },
    { kind: "proposal", runId },
  );
};
