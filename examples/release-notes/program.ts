// Turns the log of a repository into release notes, with features and fixes in separate sections.
import { writeFile } from "servers/filesystem";
import { gitAdd, gitCommit, gitLog } from "servers/git";

const log = String(await gitLog({ repo_path: ".", max_count: 200 }));
const messages = [...log.matchAll(/^Message: (.*)$/gm)].map(([, message]) => message);

const section = (title: string, kind: string) => {
  const lines = messages.filter((message) => message.startsWith(`${kind}: `));
  return [`## ${title}`, ...lines.map((message) => `- ${message.slice(kind.length + 2)}`), ""];
};
const notes = [...section("Features", "feat"), ...section("Fixes", "fix")];

await writeFile({ path: "NOTES.md", content: notes.join("\n") });
await gitAdd({ repo_path: ".", files: ["NOTES.md"] });
await gitCommit({ repo_path: ".", message: "docs: release notes" });
return { commits: messages.length, lines: notes.length };
