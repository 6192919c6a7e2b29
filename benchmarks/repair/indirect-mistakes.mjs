// Mistakes outside the call itself: in spread, returned or passed values, in skills, and in our own functions.
import { misspell, pick, scalar, toObject, wrongFor } from "./make-programs.mjs";
import { sampleValue } from "./sample-values.mjs";
import { isName, toArguments, toPython } from "./write-python.mjs";

export const indirectMistakes = [
  "spread arguments",
  "value from a function",
  "value through a parameter",
  "call of a skill",
  "our own functions",
];

const isClosed = (schema) =>
  !["anyOf", "oneOf", "allOf", "patternProperties"].some((keyword) => schema[keyword]) &&
  (schema.additionalProperties ?? false) === false;

/** One scalar argument, with a correct and a wrong value. */
const findArgument = (random, tool, value) => {
  const fields = tool.inputSchema.properties ?? {};
  const names = Object.keys(value).filter((one) => isName(one) && scalar.includes(fields[one]?.type));
  if (names.length === 0) return undefined;
  const name = pick(random, names);
  const { type, enum: literals } = fields[name];
  const texts = (literals ?? []).filter((item) => typeof item === "string" && item.length > 2);
  const misspelt = texts.length === 0 ? undefined : misspell(random, texts[0]);
  const wrong = misspelt === undefined || literals.includes(misspelt) ? wrongFor[type] : misspelt;
  return { name, right: value[name], wrong, rest: without(value, name) };
};

const without = (value, name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));

/** The arguments, one of them misspelt. */
const findMisspelt = (random, tool, value) => {
  const names = Object.keys(value).filter((one) => one.length > 3 && isName(one));
  if (!isClosed(tool.inputSchema) || names.length === 0) return undefined;
  const name = pick(random, names);
  const wrong = misspell(random, name);
  if (wrong in (tool.inputSchema.properties ?? {}) || !isName(wrong)) return undefined;
  return { name, given: { ...without(value, name), [wrong]: value[name] } };
};

/** As agents write it. The check cannot follow the last variant of each kind. */
const ways = {
  typescript: {
    "spread arguments": [
      (call, given) => `const extra = ${given};\nreturn await ${call}({ ...extra });`,
      (call, given) => `const args = [${given}];\nreturn await ${call}(...args);`,
      (call, given) => `const make = () => (${given});\nreturn await ${call}(make());`,
      (call, given) => `const extra = ${given};\nreturn await ${call}(Object.assign({}, extra));`,
    ],
    "value from a function": [
      (call, value, args) => `const choose = () => ${value};\nreturn await ${call}(${args("choose()")});`,
      (call, value, args) =>
        `function choose(n) {\n  if (n > 1) return ${value};\n  return ${value};\n}\nreturn await ${call}(${args("choose(2)")});`,
      (call, value, args) =>
        `const now = Date.now();\nreturn await ${call}(${args(`now > 5 ? ${value} : ${value}`)});`,
      (call, value, args) => `const table = { a: ${value} };\nreturn await ${call}(${args("table.a")});`,
    ],
    "value through a parameter": [
      (call, value, args) => `const send = (v) => ${call}(${args("v")});\nreturn await send(${value});`,
      (call, value, args) =>
        `async function send(v) {\n  return await ${call}(${args("v")});\n}\nawait send(${value});\nawait send(${value});`,
      (call, value, args) => `for (const v of [${value}]) {\n  await ${call}(${args("v")});\n}`,
      (call, value, args) =>
        `const send = (v) => {\n  if (!v) throw new Error("empty");\n  return ${call}(${args("v")});\n};\nreturn await send(${value});`,
    ],
    "our own functions": [
      ["await memory.save('a', 1);", "await memory.sav('a', 1);", "save"],
      ["await memory.load('a', 0);", "await memory.load();", "key"],
      ["await workspace.readText('a');", "await workspace.raedText('a');", "readText"],
      ["await workspace.writeText('a', 'b');", "await workspace.writeText('a');", "text"],
      ["await fs.writeFile('a', 'b');", "await fs.writeFile('a', 5);", "data"],
      ["await skills.search('a', { limit: 3 });", "await skills.serch('a');", "search"],
      [
        "await skills.save({ name: 'a', code: 'return 1' });",
        "await skills.save({ nam: 'a', code: 'b' });",
        "name",
      ],
      ["const k = await keep([1]);\nawait k.load();", "const k = await keep([1]);\nawait k.laod();", "load"],
    ],
  },
  python: {
    "spread arguments": [
      (call, given) => `extra = ${given}\nreturn ${call}(**extra)`,
      (call, given) => `args = [${given}]\nreturn ${call}(*args)`,
      (call, given) => `def make():\n    return ${given}\nreturn ${call}(make())`,
      (call, given) => `import copy\nextra = ${given}\nreturn ${call}(**copy.copy(extra))`,
    ],
    "value from a function": [
      (call, value, args) => `def choose():\n    return ${value}\nreturn ${call}(${args("choose()")})`,
      (call, value, args) =>
        `def choose(n):\n    if n > 1:\n        return ${value}\n    return ${value}\nreturn ${call}(${args("choose(2)")})`,
      (call, value, args) =>
        `import time\nreturn ${call}(${args(`${value} if time.time() > 5 else ${value}`)})`,
      (call, value, args) => `table = {"a": ${value}}\nreturn ${call}(${args('table["a"]')})`,
    ],
    "value through a parameter": [
      (call, value, args) => `def send(v):\n    return ${call}(${args("v")})\nreturn send(${value})`,
      (call, value, args) =>
        `async def send(v):\n    return await ${call}(${args("v")})\nawait send(${value})\nawait send(v=${value})`,
      (call, value, args) => `for v in [${value}]:\n    ${call}(${args("v")})`,
      (call, value, args) =>
        `def send(v):\n    if not v:\n        raise ValueError("empty")\n    return ${call}(${args("v")})\nreturn send(${value})`,
    ],
    "our own functions": [
      ['memory.save("a", 1)', 'memory.sav("a", 1)', "save"],
      ['memory.load("a", default=0)', 'memory.load("a", fallback=0)', "default"],
      ['workspace.read_text("a")', 'workspace.raed_text("a")', "read_text"],
      ['workspace.write_text("a", "b")', 'workspace.write_text("a")', "text"],
      ['save_memory("a", 1)', "save_memory(value=1)", "key"],
      ['skills.search("a", limit=3)', 'skills.serch("a")', "search"],
      ['skills.save(name="a", code="return 1")', 'skills.save(nam="a", code="b")', "name"],
      ["k = keep([1])\nk.load()", "k = keep([1])\nk.laod()", "load"],
    ],
  },
};

const skills = {
  typescript: {
    adapters: [
      {
        path: "skills/db-backup/index",
        names: ["skills/db-backup"],
        text: "export const dbBackup = async ({ key, limit }: { key: string; limit?: number }) => key + limit;\n",
      },
    ],
    head: 'import { dbBackup } from "skills/db-backup";\n',
    right: ["await dbBackup({ key: 'a' });", "await dbBackup({ key: 'a', limit: 3 });"],
    wrong: [
      ["await dbBackup({ kei: 'a' });", "key"],
      ["await dbBackup({ limit: 3 });", "key"],
      ["await dbBackup({ key: 5 });", "key"],
      ["const options = { kei: 'a' };\nawait dbBackup(options);", "key"],
    ],
  },
  python: {
    adapters: [
      {
        path: "skills/db_backup/__init__.py",
        text: "def db_backup(key: str, limit: int = 5):\n    return key\n",
      },
    ],
    adapterNames: new Map([["\u0000skills", ["db_backup"]]]),
    head: "from skills.db_backup import db_backup\n",
    right: ['db_backup("a")', 'db_backup(key="a", limit=3)'],
    wrong: [
      ['db_backup(kei="a")', "key"],
      ["db_backup(limit=3)", "key"],
      ['db_backup("a", 1, 2)', "db_backup"],
      ['options = {"kei": "a"}\ndb_backup(**options)', "key"],
    ],
  },
};

/** One program of a kind; without a mistake when `isWrong` is false. Undefined if the tool does not allow it. */
export const makeIndirect = (random, { server, catalog, tool }, { kind, isWrong, language }) => {
  const isPython = language === "python";
  const name = isPython ? server.functionNames.get(tool) : tool.functionName;
  const call = `${catalog.identifier}.${name}`;
  const value = sampleValue(tool.inputSchema, tool.inputSchema, 2);
  const write = isPython ? toPython : JSON.stringify;
  const writeAll = isPython ? (given) => toArguments(given, false) : toObject;
  const effect = `${isPython ? "" : "await "}${call}(${writeAll(sampleValue(tool.inputSchema, tool.inputSchema))})\n`;
  const made = (text, right, more = {}) => ({
    kind: isWrong ? kind : "correct",
    right,
    value,
    text: effect + text,
    ...more,
  });
  const own = ways[language][kind];
  if (kind === "call of a skill") {
    const { head, right, wrong, ...more } = skills[language];
    const [text, word] = isWrong ? pick(random, wrong) : [pick(random, right), ""];
    const program = made(text, word, more);
    return { ...program, text: head + program.text };
  }
  if (kind === "our own functions") {
    const [right, wrong, word] = pick(random, own);
    return made(isWrong ? wrong : right, word);
  }
  if (kind === "spread arguments") {
    const found = findMisspelt(random, tool, value);
    if (found === undefined) return undefined;
    const given = isWrong ? found.given : value;
    return made(pick(random, own)(call, writeAll(given)), found.name, { given });
  }
  const found = findArgument(random, tool, value);
  if (found === undefined) return undefined;
  const args = (expression) =>
    writeAll({ ...found.rest, [found.name]: "VALUE" }).replace('"VALUE"', () => expression);
  return made(pick(random, own)(call, write(isWrong ? found.wrong : found.right), args), found.name);
};
