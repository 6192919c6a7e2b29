// Lists the methods of a Coordinator with their signatures and descriptions, read from the interfaces that declare them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const places = [
  ["Programs, servers and tools", "coordinator.ts", "Coordinator"],
  ["Durable runs", "coordinator.ts", "RunVerbs"],
  ["Sessions", "sessions/sessions.ts", "SessionVerbs"],
  ["Skills", "coordinator.ts", "SkillVerbs"],
  ["The library as files and prompts", "coordinator.ts", "LibraryVerbs"],
  ["Workspaces", "workspaces/workspaces.ts", "WorkspaceVerbs"],
  ["The policy", "policies/explain-call.ts", "PolicyVerbs"],
  ["The audit", "audit/list-audit.ts", "AuditVerbs"],
  ["Pinned tools", "servers/pinned-tools.ts", "PinVerbs"],
  ["The model", "../surfaces/ask/open-coordinator.ts", "AskVerb"],
  ["One exchange with the model", "models/open-model.ts", "ModelVerbs"],
  ["Callers over HTTP", "callers/callers.ts", "CallerVerbs"],
];

const readBody = (text, name) => {
  const start = text.search(new RegExp(`^(?:export )?interface ${name}\\b`, "m"));
  if (start === -1) throw new Error(`Cannot document "${name}": there is no such interface`);
  const from = text.indexOf("{\n", start) + 2;
  return text.slice(from, text.indexOf("\n}", from) + 1);
};

const toSignature = (name, type) => {
  const plain = type
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\breadonly /g, "")
    // "?" already says so.
    .replace(/(\?: [^;{}]*?) \| undefined(?=[;,)} ])/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/\( /g, "(")
    .replace(/,? \)/g, ")")
    .replace(/; }/g, " }");
  const arrow = plain.lastIndexOf(") =>");
  return `${name}${plain.slice(0, arrow + 1)}: ${plain.slice(arrow + 5)}`;
};

const member =
  /^(?: {2}\/\*\* (.+?) \*\/\n)? {2}readonly (\w+): ([\s\S]*?);\n(?= {2}(?:readonly|\/\*\*)|(?![\s\S]))/gm;

const listVerbs = (body) =>
  [...body.matchAll(member)]
    .filter(([, , , type]) => type.trimStart().startsWith("("))
    .map(([, meaning, name, type]) => {
      if (meaning === undefined)
        throw new Error(`Cannot document "${name}": it has no comment, expected one sentence`);
      return { meaning, signature: toSignature(name, type) };
    });

/** One table per group. */
export const toMethodTables = (folder) =>
  places
    .map(([title, file, name]) => {
      const verbs = listVerbs(readBody(readFileSync(join(folder, "src", "coordinator", file), "utf8"), name));
      const rows = verbs.map(
        ({ signature, meaning }) =>
          `| \`${signature.replaceAll("|", "\\|")}\` | ${meaning.replaceAll("|", "\\|")} |`,
      );
      return [`### ${title}`, ["| Method | Meaning |", "| --- | --- |", ...rows].join("\n")].join("\n\n");
    })
    .join("\n\n");
