// `npm run first-hour`: plays the first hour in a real terminal, and compares every screen with tests/golden/first-hour. `-- --update` stores them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPerson } from "./first-hour/person.mjs";
import { story } from "./first-hour/story.mjs";
import { openTerminal } from "./first-hour/terminal.mjs";

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const golden = join(checkout, "tests", "golden", "first-hour");

/** The usual terminal, and a wide one. */
export const sizes = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
];

/** Which sandboxes there are, and the programs of this machine. */
const machineParts = [
  [/^SANDBOX [\s\S]*?(?=^MACHINE)/m, "(the sandboxes of this machine)\n\n"],
  [/^MACHINE[\s\S]*$/m, "(this machine)\n"],
  [/^(Everything that is needed works)[\s\S]*?\n\n/m, "$1 (and what is optional here)\n\n"],
];

const rules = [
  // At the end of a line, an id may be split.
  [/(?<=--yes )[0-9a-f]+\n?[0-9a-f]*/g, (found) => found.replace(/[0-9a-f]/g, "-")],
  [/(?<=(?:resume|commit) )(?=[0-9a-f]*\n)[0-9a-f]+\n[0-9a-f]*/g, (found) => found.replace(/[0-9a-f]/g, "-")],
  [/\b[0-9a-f]{12}\b/g, "RUN-ID------"],
  [/\b[0-9a-f]{8}\b/g, "CODE----"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b(?! (?:until|after))/g, "TIME"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, "DATE"],
  [/\b\d{4}-\d\d-\d\d\b/g, "DATE"],
  [/^( +(?:programs|returned|searches|calls|answers|left out|saved)) +-?[\d,]+/gm, "$1 N"],
  [/\b\d+(?:\.\d+)? [kMG]?B\b/g, "SIZE"],
  [/\b\d+\.\d+\.\d+\b/g, "VERSION"],
];

/** The same line, whatever the width of a time in it was. */
const alignTimes = (line) =>
  /TIME|DATE|SIZE|VERSION|READY IN/.test(line) ? line.replace(/ {2,}/g, "  ") : line;

/** The screen without what differs between two plays or two machines: a stored screen changes only if the product does. */
const normalize = (screen, { root }) => {
  let text = `${screen.trimEnd()}\n`;
  text = text.replaceAll(root, root.replace(/[^/]{6}$/, "XXXXXX"));
  for (const [pattern, replacement] of [...machineParts, ...rules]) text = text.replace(pattern, replacement);
  return `${text.trimEnd()}\n`
    .split("\n")
    .map((line) => alignTimes(line).trimEnd())
    .join("\n");
};

const playStep = async (terminal, step, store) => {
  const [id = "RUN"] = (await terminal.read()).match(/\b[0-9a-f]{12}\b/g)?.slice(-1) ?? [];
  await terminal.begin(step.line.replace("RUN", id));
  for (const { screen, shown, typeCode, press } of step.during ?? []) {
    await terminal.untilShown(shown);
    const text = await terminal.read();
    if (screen !== undefined) store(screen, text);
    const [code = ""] =
      typeCode === true ? (text.match(/(?<=Type )[0-9a-f]{8}(?= to allow)/g) ?? []).slice(-1) : [];
    if (code !== "") await terminal.type(code);
    await terminal.press(press);
  }
  await terminal.untilPrompt();
  // Without the next prompt.
  store(step.screen, (await terminal.read()).replace(/\n\$$/, ""));
};

/** Every screen of one size: name → text. */
const playFirstHour = async ({ columns, rows }, { node, say }) => {
  const person = openPerson(checkout, node);
  const screens = new Map();
  const store = (name, text) => {
    const number = String(screens.size + 1).padStart(2, "0");
    screens.set(`${number}-${name}.txt`, normalize(text, person));
  };
  const { root, project, env } = person;
  const terminal = await openTerminal({ folder: root, columns, rows, env, cwd: project });
  try {
    for (const step of story) {
      say(`${columns}×${rows}  ${step.line}`);
      await playStep(terminal, step, store);
    }
  } finally {
    await terminal.close();
    person.close();
  }
  return screens;
};

/** Plays these sizes, and returns the names of the screens that differ from the stored ones. */
export const compareFirstHour = async ({
  node = process.execPath,
  isUpdated = false,
  played = sizes,
  say = () => {},
} = {}) => {
  const differences = [];
  for (const size of played) {
    const folder = join(golden, `${size.columns}x${size.rows}`);
    const screens = await playFirstHour(size, { node, say });
    const stored = existsSync(folder) ? readdirSync(folder) : [];
    if (isUpdated) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of screens) writeFileSync(join(folder, name), text);
    }
    for (const name of new Set([...screens.keys(), ...stored])) {
      const path = join(folder, name);
      const expected = stored.includes(name) && existsSync(path) ? readFileSync(path, "utf8") : undefined;
      const found = screens.get(name);
      if (found !== expected)
        differences.push({ name: `${size.columns}x${size.rows}/${name}`, expected, found });
    }
  }
  return differences;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isUpdated = process.argv.includes("--update");
  const { prepare } = await import("./prepare.mjs");
  const node = await prepare();
  const differences = await compareFirstHour({ node, isUpdated, say: (line) => console.error(line) });
  if (isUpdated) console.log(`Stored in ${golden}: read every screen that git diff shows`);
  for (const { name, expected, found } of isUpdated ? [] : differences)
    console.log(`${name} differs.\n--- stored\n${expected ?? "(none)\n"}--- now\n${found ?? "(none)\n"}`);
  if (!isUpdated && differences.length > 0) process.exitCode = 1;
}
