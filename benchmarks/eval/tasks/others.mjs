// Tasks on notes, charts, a planner and a server of examples.
import { expectAnswer, expectSame } from "../world.mjs";

const recipes = ["Apple cake", "Bean soup", "Carrot stew", "Dumplings", "Egg salad", "Fish pie"];

const projects = Array.from({ length: 12 }, (_, at) => ({
  name: `Project ${String.fromCharCode(65 + at)}`,
  isLate: at % 4 === 1,
}));

const readTags = (text = "") =>
  (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? "").match(/[\w-]+(?=["',\]\s]|$)/g) ?? [];

export const otherTasks = [
  {
    name: "tag-late-projects",
    kind: "change files",
    servers: ["notes"],
    prompt:
      'In my vault, add the tag "urgent" to every note in the folder Projects that contains the line "Status: late", in the frontmatter. Leave the other notes alone.',
    prepare: (world) => {
      for (const { name, isLate } of projects)
        world.write(
          `vault/Projects/${name}.md`,
          `---\ntags:\n  - project\n---\n# ${name}\n\nStatus: ${isLate ? "late" : "on time"}\n`,
        );
    },
    solution: `const found = await notes.obsidianSearchVault({ vault: "vault", query: "Status: late", scope: "Projects", mode: "content" }) as any;
const paths = found.data.matches.map((match: any) => match.path);
await notes.obsidianAddTags({ vault: "vault", paths, tags: ["urgent"], location: "frontmatter" });
return paths.length;`,
    check: (world) =>
      expectSame(
        "notes with the tag",
        projects
          .filter(({ name }) => readTags(world.read(`vault/Projects/${name}.md`)).includes("urgent"))
          .map(({ name }) => name),
        projects.filter(({ isLate }) => isLate).map(({ name }) => name),
      ),
  },
  {
    name: "index-recipes",
    kind: "transform",
    servers: ["notes"],
    prompt:
      'Create the note "Index.md" at the top of my vault. It has one line per note in the folder Recipes, in alphabetical order, each only a wiki link with the note\'s name, such as [[Apple cake]].',
    prepare: (world) => {
      for (const name of recipes) world.write(`vault/Recipes/${name}.md`, `# ${name}\n\nStir well.\n`);
    },
    solution: `const found = await notes.obsidianSearchVault({ vault: "vault", query: ".md", scope: "Recipes", mode: "filename", limit: 50 }) as any;
const names = found.data.matches.map((match: any) => match.path.replace(/^Recipes\\/|\\.md$/g, "")).sort();
await notes.obsidianCreateNote({ vault: "vault", path: "Index.md", content: names.map((name: string) => "[[" + name + "]]").join("\\n") + "\\n" });
return names.length;`,
    check: (world) =>
      expectSame(
        "Index.md",
        world
          .read("vault/Index.md")
          ?.trim()
          .split(/\r?\n/)
          .map((line) => line.replace("[[Recipes/", "[[").replace(/\|.*\]\]/, "]]")),
        recipes.map((name) => `[[${name}]]`),
      ),
  },
  {
    name: "draw-chart",
    kind: "between servers",
    servers: ["database", "charts", "files"],
    prompt:
      "Draw a bar chart of the number of orders per city of the customers in the shop database, and save it as FOLDER/files/orders.svg.",
    prepare: () => {},
    solution: `const answer = await database.executeSql({ sql: "SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city" }) as any;
const data = answer.data.statements[0].rows.map((row: any) => ({ category: row.city, value: row.n }));
const content = await charts.generateBarChart({ data, outputType: "svg" }) as string;
await files.writeFile({ path: "FOLDER/files/orders.svg", content });
return "saved";`,
    check: (world) => {
      const text = world.read("files/orders.svg") ?? "";
      const missing = ["<svg", "Oslo", "Graz", "Turin", "Porto"].filter((part) => !text.includes(part));
      return missing.length === 0 ? undefined : `orders.svg lacks ${missing.join(", ")}`;
    },
  },
  {
    name: "plan-request",
    kind: "change data",
    servers: ["planner", "files"],
    prompt:
      "FOLDER/files/moving.txt lists steps, one per line. Register one request in the task manager with a task for each step, in the same order, with the step as the title.",
    prepare: (world) =>
      world.write("files/moving.txt", "Book a van\nPack the books\nLabel the boxes\nReturn the keys\n"),
    solution: `const { content } = await files.readTextFile({ path: "FOLDER/files/moving.txt" });
const tasks = content.trim().split("\\n").map((title) => ({ title, description: title }));
await planner.requestPlanning({ originalRequest: "Move", tasks });
return tasks.length;`,
    check: (world) => {
      const { requests = [] } = JSON.parse(world.read("planner.json") ?? "{}");
      return expectSame(
        "tasks",
        requests.map(({ tasks }) => tasks.map(({ title }) => title)),
        [["Book a van", "Pack the books", "Label the boxes", "Return the keys"]],
      );
    },
  },
  {
    name: "compare-weather",
    kind: "find",
    servers: ["everything"],
    prompt:
      "Use the structured content tool to get the weather of New York, Chicago and Los Angeles. Which city is the warmest, and what is its temperature?",
    prepare: () => {},
    solution: `const found = [];
for (const location of ["New York", "Chicago", "Los Angeles"] as const) found.push({ location, ...(await everything.getStructuredContent({ location })) });
const [best] = found.sort((a, b) => b.temperature - a.temperature);
return best!.location + ": " + best!.temperature;`,
    direct: [
      ["New York", "Chicago", "Los Angeles"].map((location) => [
        "everything__get-structured-content",
        { location },
      ]),
      "Los Angeles is the warmest, 73 degrees.",
    ],
    check: (_world, answer) => expectAnswer(answer, "Los Angeles", 73),
  },
];
