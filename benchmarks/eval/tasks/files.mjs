// Tasks on files: read many, aggregate, change some, leave the others alone.
import { expectAnswer, expectSame, openDice } from "../world.mjs";

const months = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"];
const goods = ["anvil", "bolt", "crank", "drill", "file", "gauge"];

const readSales = () => {
  const dice = openDice(11);
  return months.map((month) => ({
    month,
    rows: Array.from({ length: 40 }, () => ({
      good: goods[dice(goods.length)],
      units: 1 + dice(20),
      price: 5 + dice(30),
    })),
  }));
};

const sumSales = () => {
  const totals = Object.fromEntries(goods.map((good) => [good, 0]));
  for (const { rows } of readSales())
    for (const { good, units, price } of rows) totals[good] += units * price;
  return Object.entries(totals).sort(([, one], [, other]) => other - one);
};

const users = Array.from({ length: 30 }, (_, at) => ({
  id: ((at * 7) % 30) + 1,
  name: `user ${((at * 7) % 30) + 1}`,
  isActive: at % 3 !== 0,
}));

const configs = Array.from({ length: 10 }, (_, at) => [
  `service-${at}.json`,
  {
    service: `service-${at}`,
    port: at === 6 ? 8080 : 9000 + at,
    log: { level: at % 2 === 0 ? "info" : "debug" },
  },
]);
const print = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

const story = () => {
  const dice = openDice(23);
  const words = [
    "harbour",
    "lantern",
    "river",
    "captain",
    "storm",
    "letter",
    "window",
    "garden",
    "stone",
    "bread",
  ];
  return Array.from({ length: 9000 }, () => words[dice(words.length)])
    .join(" ")
    .replace(/(.{90}\S*) /g, "$1\n");
};

const countLanterns = () =>
  story()
    .split(/\s+/)
    .filter((word) => word === "lantern").length;

const sources = Array.from({ length: 40 }, (_, at) => [
  `module-${String(at).padStart(2, "0")}.js`,
  [
    `export const value${at} = ${at};`,
    ...(at % 9 === 4 ? [`// TODO: check case ${at}`] : []),
    `export const twice${at} = ${at} * 2;`,
    "",
  ].join("\n"),
]);
const todos = sources.flatMap(([name, text]) =>
  text.includes("TODO") ? [`${name}: ${/TODO: .*/.exec(text)[0].slice(6)}`] : [],
);

const helpers = `const base = "FOLDER/files";
const listFiles = async (folder: string) => (await files.listDirectory({ path: folder })).content.split("\\n").filter((line) => line.startsWith("[FILE]")).map((line) => line.slice(7).trim());
const read = async (path: string) => (await files.readTextFile({ path })).content;
`;

export const fileTasks = [
  {
    name: "sum-sales",
    kind: "aggregate",
    servers: ["files"],
    prompt:
      "FOLDER/files/sales has one CSV file per month with the columns good, units and price. Which good had the highest revenue (units times price) over the year, and how much was it?",
    prepare: (world) => {
      for (const { month, rows } of readSales())
        world.write(
          `files/sales/2026-${month}.csv`,
          `good,units,price\n${rows.map(({ good, units, price }) => `${good},${units},${price}`).join("\n")}\n`,
        );
    },
    solution: `${helpers}
const totals: Record<string, number> = {};
for (const name of await listFiles(base + "/sales")) for (const line of (await read(base + "/sales/" + name)).trim().split("\\n").slice(1)) {
  const [good = "", units, price] = line.split(",");
  totals[good] = (totals[good] ?? 0) + Number(units) * Number(price);
}
return Object.entries(totals).sort((a, b) => b[1] - a[1])[0]!.join(": ");`,
    direct: [
      [["files__list_directory", { path: "FOLDER/files/sales" }]],
      months.map((month) => ["files__read_text_file", { path: `FOLDER/files/sales/2026-${month}.csv` }]),
      sumSales()[0].join(": "),
    ],
    check: (_world, answer) => expectAnswer(answer, ...sumSales()[0]),
  },
  {
    name: "merge-users",
    kind: "transform",
    servers: ["files"],
    prompt:
      "Each file in FOLDER/files/users contains one user as JSON. Write FOLDER/files/users.json: a JSON array of the users whose isActive is true, sorted by id, each with only id and name.",
    prepare: (world) => {
      for (const user of users) world.write(`files/users/${user.name.replace(" ", "-")}.json`, print(user));
    },
    solution: `${helpers}
const found = [];
for (const name of await listFiles(base + "/users")) found.push(JSON.parse(await read(base + "/users/" + name)));
const kept = found.filter((user) => user.isActive).sort((a, b) => a.id - b.id).map(({ id, name }) => ({ id, name }));
await files.writeFile({ path: base + "/users.json", content: JSON.stringify(kept) });
return kept.length + " users";`,
    check: (world) => {
      const wanted = users
        .filter(({ isActive }) => isActive)
        .sort((one, other) => one.id - other.id)
        .map(({ id, name }) => ({ id, name }));
      try {
        return expectSame("users.json", JSON.parse(world.read("files/users.json") ?? "null"), wanted);
      } catch {
        return "users.json is not JSON";
      }
    },
  },
  {
    name: "collect-todos",
    kind: "transform",
    servers: ["files"],
    prompt:
      'Find every TODO comment in the files of FOLDER/files/source. Write FOLDER/files/todo.txt with one line per comment, as "file name: text of the comment without the word TODO and its colon", sorted by file name.',
    prepare: (world) => {
      for (const [name, text] of sources) world.write(`files/source/${name}`, text);
    },
    solution: `${helpers}
const lines: string[] = [];
for (const name of (await listFiles(base + "/source")).sort()) for (const line of (await read(base + "/source/" + name)).split("\\n")) {
  const found = /TODO: (.*)/.exec(line);
  if (found) lines.push(name + ": " + found[1]);
}
await files.writeFile({ path: base + "/todo.txt", content: lines.join("\\n") + "\\n" });
return lines.length;`,
    check: (world) => expectSame("todo.txt", world.read("files/todo.txt")?.trim().split("\n"), todos),
  },
  {
    name: "archive-reports",
    kind: "change files",
    servers: ["files"],
    prompt:
      "Move the reports in FOLDER/files/reports into subfolders of FOLDER/files/archive named after the year in their file names. Leave drafts where they are.",
    prepare: (world) => {
      for (let at = 0; at < 18; at++)
        world.write(
          `files/reports/${at % 6 === 5 ? "draft" : "report"}-${2023 + (at % 3)}-${String(at).padStart(2, "0")}.txt`,
          `number ${at}\n`,
        );
    },
    solution: `${helpers}
const made = new Set<string>();
await files.createDirectory({ path: base + "/archive" });
for (const name of await listFiles(base + "/reports")) {
  const year = /^report-(\\d{4})/.exec(name)?.[1];
  if (!year) continue;
  if (!made.has(year)) await files.createDirectory({ path: base + "/archive/" + year });
  made.add(year);
  await files.moveFile({ source: base + "/reports/" + name, destination: base + "/archive/" + year + "/" + name });
}
return [...made];`,
    check: (world) => {
      const wanted = { reports: [], 2023: [], 2024: [], 2025: [] };
      for (let at = 0; at < 18; at++) {
        const number = String(at).padStart(2, "0");
        if (at % 6 === 5) wanted.reports.push(`draft-${2023 + (at % 3)}-${number}.txt`);
        else wanted[2023 + (at % 3)].push(`report-${2023 + (at % 3)}-${number}.txt`);
      }
      const found = Object.fromEntries(
        Object.keys(wanted).map((name) => [
          name,
          world.list(name === "reports" ? "files/reports" : `files/archive/${name}`),
        ]),
      );
      return expectSame("folders", found, wanted);
    },
  },
  {
    name: "change-port",
    kind: "change files",
    servers: ["files"],
    prompt:
      "One of the services configured in FOLDER/files/services uses port 8080. Change that port to 9006, and change nothing else.",
    prepare: (world) => {
      for (const [name, value] of configs) world.write(`files/services/${name}`, print(value));
    },
    solution: `${helpers}
for (const name of await listFiles(base + "/services")) {
  const path = base + "/services/" + name;
  const text = await read(path);
  if (text.includes("8080")) { await files.writeFile({ path, content: text.replace("8080", "9006") }); return name; }
}`,
    direct: [
      [["files__read_multiple_files", { paths: configs.map(([name]) => `FOLDER/files/services/${name}`) }]],
      [
        [
          "files__edit_file",
          {
            path: "FOLDER/files/services/service-6.json",
            edits: [{ oldText: '"port": 8080', newText: '"port": 9006' }],
          },
        ],
      ],
    ],
    check: (world) =>
      configs
        .map(([name, value]) =>
          expectSame(
            name,
            world.read(`files/services/${name}`)?.trim(),
            print({ ...value, port: value.port === 8080 ? 9006 : value.port }).trim(),
          ),
        )
        .find((reason) => reason !== undefined),
  },
  {
    name: "find-twins",
    kind: "find",
    servers: ["files"],
    prompt: "Two files in FOLDER/files/letters have exactly the same content. Which ones?",
    prepare: (world) => {
      const dice = openDice(5);
      const texts = Array.from(
        { length: 24 },
        (_, at) => `Letter\n${Array.from({ length: 60 }, () => dice(1000) + at).join(" ")}\n`,
      );
      texts[19] = texts[4];
      for (const [at, text] of texts.entries())
        world.write(`files/letters/letter-${String(at).padStart(2, "0")}.txt`, text);
    },
    solution: `${helpers}
const seen = new Map<string, string>();
for (const name of await listFiles(base + "/letters")) {
  const text = await read(base + "/letters/" + name);
  const twin = seen.get(text);
  if (twin) return twin + " and " + name;
  seen.set(text, name);
}`,
    check: (_world, answer) => expectAnswer(answer, "letter-04", "letter-19"),
  },
  {
    name: "count-words",
    kind: "long text",
    servers: ["files"],
    prompt: 'How often does the word "lantern" occur in FOLDER/files/story.txt?',
    prepare: (world) => world.write("files/story.txt", story()),
    solution: `${helpers}
return (await read(base + "/story.txt")).split(/\\s+/).filter((word) => word === "lantern").length;`,
    direct: [[["files__read_text_file", { path: "FOLDER/files/story.txt" }]], String(countLanterns())],
    check: (_world, answer) => expectAnswer(answer, countLanterns()),
  },
];
