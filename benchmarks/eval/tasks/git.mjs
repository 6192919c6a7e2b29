// Tasks on a Git repository: read its history, commit, branch, tag.
import { commit, expectAnswer, expectSame, openDice, people } from "../world.mjs";

const verbs = ["Add", "Fix", "Remove", "Rename", "Water", "Prune"];
const things = ["roses", "gate", "path", "pond", "hedge", "bench", "shed", "lawn"];

const history = () => {
  const dice = openDice(17);
  return Array.from({ length: 40 }, (_, at) => ({
    message: `${verbs[dice(6)]} the ${things[dice(8)]} (${at + 1})`,
    day: at + 1,
    author: people[dice(dice(2) === 0 ? 2 : 6)],
  }));
};

const writeHistory = (world) => {
  for (const [at, { message, day, author }] of history().entries()) {
    commit(world, message, day, author);
    if (at === 24) world.git("tag", "v1.0");
  }
};

const countAuthors = () => {
  const counts = {};
  for (const { author } of history()) counts[author] = (counts[author] ?? 0) + 1;
  // The first commit of every world.
  counts["Ada Brandt"] = (counts["Ada Brandt"] ?? 0) + 1;
  return Object.entries(counts).sort(([, one], [, other]) => other - one);
};

const path = '"FOLDER/repository"';
/** All commits, the newest first. */
const helpers = `const listCommits = async () => (await git.gitLog({ path: ${path}, maxCount: 200 }) as any).commits as any[];
`;

export const gitTasks = [
  {
    name: "commit-change",
    kind: "change data",
    servers: ["git", "files"],
    prompt:
      'Create the file plan.md with the text "Plant tulips" in the Git repository FOLDER/repository, and commit it with the message "Plan the spring".',
    prepare: () => {},
    solution: `await files.writeFile({ path: "FOLDER/repository/plan.md", content: "Plant tulips\\n" });
await git.gitAdd({ path: ${path}, paths: ["plan.md"] });
await git.gitCommit({ path: ${path}, message: "Plan the spring" });
return "committed";`,
    check: (world) =>
      expectSame("last commit", world.git("log", "-1", "--format=%s"), "Plan the spring") ??
      expectSame("plan.md", world.git("show", "HEAD:plan.md"), "Plant tulips") ??
      expectSame("status", world.git("status", "--porcelain"), ""),
  },
  {
    name: "busiest-author",
    kind: "aggregate",
    servers: ["git"],
    prompt: "Who made the most commits in the Git repository FOLDER/repository, and how many?",
    prepare: writeHistory,
    solution: `${helpers}const counts: Record<string, number> = {};
for (const { author } of await listCommits()) counts[author] = (counts[author] ?? 0) + 1;
return Object.entries(counts).sort((a, b) => b[1] - a[1])[0]!.join(": ");`,
    check: (_world, answer) => expectAnswer(answer, ...countAuthors()[0]),
  },
  {
    name: "branch-from-commit",
    kind: "change data",
    servers: ["git"],
    prompt: `In the Git repository FOLDER/repository, create the branch "rescue" at the commit whose message is "${history()[11].message}". Stay on main.`,
    prepare: writeHistory,
    solution: `${helpers}const found = (await listCommits()).find(({ subject }) => subject === ${JSON.stringify(history()[11].message)});
await git.gitBranch({ path: ${path}, mode: "create", branchName: "rescue", startPoint: found.hash });
return "created";`,
    check: (world) => {
      const branches = world.git("branch", "--format=%(refname:short)").split("\n");
      if (!branches.includes("rescue")) return `branches: found ${branches.join(", ")}`;
      return (
        expectSame("rescue", world.git("log", "-1", "--format=%s", "rescue"), history()[11].message) ??
        expectSame("branch", world.git("branch", "--show-current"), "main")
      );
    },
  },
  {
    name: "list-changes",
    kind: "between servers",
    servers: ["git", "files"],
    prompt:
      "Write FOLDER/files/changes.txt with the messages of all commits in the Git repository FOLDER/repository after the tag v1.0, one per line, the oldest first.",
    prepare: writeHistory,
    solution: `${helpers}const shown = await git.gitShow({ path: ${path}, object: "v1.0" }) as any;
const commits = await listCommits();
const at = commits.findIndex(({ subject }) => JSON.stringify(shown).includes(subject));
const subjects = commits.slice(0, at).map(({ subject }) => subject).reverse();
await files.writeFile({ path: "FOLDER/files/changes.txt", content: subjects.join("\\n") + "\\n" });
return subjects.length;`,
    check: (world) =>
      expectSame(
        "changes.txt",
        world.read("files/changes.txt")?.trim().split(/\r?\n/),
        history()
          .slice(25)
          .map(({ message }) => message),
      ),
  },
  {
    name: "tag-release",
    kind: "change data",
    servers: ["git"],
    prompt:
      'Tag the newest commit of the Git repository FOLDER/repository as "v1.1", with the message "Spring".',
    prepare: writeHistory,
    solution: `await git.gitTag({ path: ${path}, mode: "create", tagName: "v1.1", message: "Spring", annotated: true });
return "tagged";`,
    check: (world) => {
      if (world.git("tag", "--list", "v1.1") === "") return "there is no tag v1.1";
      return (
        expectSame("v1.1", world.git("rev-parse", "v1.1^{commit}"), world.git("rev-parse", "main")) ??
        expectSame("message", world.git("tag", "--list", "v1.1", "--format=%(contents:subject)"), "Spring")
      );
    },
  },
];
