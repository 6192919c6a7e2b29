// Generates programs over real tools: each is correct and has a twin with one mistake.
import { listResultPaths, sampleValue } from "./sample-values.mjs";

/** The same numbers every time (mulberry32). */
export const createRandom = (seed) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
};

export const pick = (random, list) => list[Math.floor(random() * list.length)];

const isPlain = (name) => /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
const toKey = (name) => (isPlain(name) ? name : JSON.stringify(name));
const toAccess = (root, path) =>
  path.reduce(
    (text, key) =>
      `${text}${/^\d+$/.test(key) ? `[${key}]` : isPlain(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`,
    root,
  );
export const toObject = (value) =>
  `{ ${Object.entries(value)
    .map(([name, held]) => `${toKey(name)}: ${JSON.stringify(held)}`)
    .join(", ")} }`;

/** The word as people mistype it: a letter lost, two swapped, one doubled, or written another way. */
export const misspell = (random, word) => {
  const at = 1 + Math.floor(random() * Math.max(word.length - 2, 1));
  const made = pick(random, [
    () => word.slice(0, at) + word.slice(at + 1),
    () => word.slice(0, at) + (word[at + 1] ?? "x") + (word[at] ?? "") + word.slice(at + 2),
    () => word.slice(0, at) + word[at] + word.slice(at),
    () => (word.endsWith("s") ? word.slice(0, -1) : `${word}s`),
  ])();
  return made === word ? `${word}x` : made;
};

/** Correct ways to write a call whose answer is `r`. */
const styles = [
  ({ tool, identifier, args }) => ({
    head: `import { ${tool.functionName} } from "servers/${identifier}";`,
    call: `${tool.functionName}(${args})`,
  }),
  ({ tool, identifier, args }) => ({ head: "", call: `${identifier}.${tool.functionName}(${args})` }),
  ({ tool, identifier, args }) => ({
    head: `import * as api from "./servers/${identifier}/index.ts";`,
    call: `api.${tool.functionName}(${args})`,
  }),
  ({ tool, identifier, args }) => ({
    head: `import ${tool.functionName} from "../servers/${identifier}/${tool.functionName}.js";`,
    call: `${tool.functionName}(${args})`,
  }),
  ({ tool, server, args }) => ({
    head: "",
    call: `callTool(${JSON.stringify(server)}, ${JSON.stringify(tool.name)}, ${args})`,
  }),
  ({ tool, server, args }) => ({
    head: "",
    call: `callMCPTool(${JSON.stringify(`${server}__${tool.name}`)}, ${args})`,
  }),
  ({ tool, server, args }) => ({
    head: "",
    call: `servers[${JSON.stringify(server)}].${tool.functionName}(${args})`,
  }),
  ({ tool, identifier, args }) => ({
    head: `const { ${tool.functionName}: run } = ${identifier};`,
    call: `run(${args})`,
  }),
];

const plainUses = [
  () => "const r = await CALL;\nreturn r;",
  () =>
    "const r = await CALL;\nconst out = {};\nout.value = r;\nconst rows = [];\nrows.push(out);\nreturn rows.map((row) => row.value);",
  () =>
    "let r: any;\ntry {\n  r = await CALL;\n} catch (error) {\n  console.log(error.message);\n}\nreturn r?.items?.length ?? 0;",
  () => "const [r, other] = await Promise.all([CALL, sleep(1)]);\nreturn [r, other];",
  () =>
    "for (let page = 0; page < 2; page++) {\n  const r = await CALL;\n  if (!r) break;\n  console.log(page, JSON.stringify(r));\n}",
  () =>
    "async function load(n) {\n  const r = await CALL;\n  return { n, r };\n}\nconst all = await Promise.all([1, 2].map((n) => load(n)));\nreturn all.length;",
  () => "const r = (await CALL) as any;\nreturn r.anything.goes[0].here;",
  () => "return CALL.then((r) => ({ r }));",
  () =>
    "class Counter {\n  constructor() { this.count = 0; }\n  add() { this.count++; return this; }\n}\nconst r = await CALL;\nreturn [new Counter().add().count, typeof r];",
];

const rawUse = "const r = await RAW;\nreturn r.content?.[0]?.text ?? r.structuredContent;";

const compose = (random, facts, args, use) => {
  const style = pick(random, styles)({ ...facts, args });
  return `${style.head === "" ? "" : `${style.head}\n`}${facts.effect}${use.replaceAll("CALL", style.call)}`;
};

/** A program that first has a side effect, so that a mistake found at run time is found too late. */
const toFacts = ({ catalog, tool }) => {
  const { server, identifier } = catalog;
  const effect = `await ${identifier}.${tool.functionName}(${toObject(sampleValue(tool.inputSchema, tool.inputSchema))});\n`;
  return { tool, server, identifier, effect };
};

/** Whether the answer may have fields that its schema does not declare. */
export const isOpenResult = ({ outputSchema }) => {
  const isOpen = (part) =>
    typeof part === "object" &&
    part !== null &&
    ((typeof part.properties === "object" &&
      part.additionalProperties !== false &&
      part.unevaluatedProperties !== false) ||
      Object.values(part).some(isOpen));
  return isOpen(outputSchema);
};

export const scalar = ["string", "number", "integer", "boolean"];
export const wrongFor = { string: 12345, number: "many", integer: "many", boolean: "yes" };

/** One correct program over a tool. */
const makeCorrect = (random, { catalog, tool }) => {
  const facts = toFacts({ catalog, tool });
  const optional = Math.floor(random() * 3);
  const value = sampleValue(tool.inputSchema, tool.inputSchema, optional);
  const args = toObject(value);
  const way = random();
  if (way < 0.1) {
    const text = rawUse.replace("RAW", `${facts.identifier}.${tool.functionName}.raw(${args})`);
    return { kind: "correct", value, text: facts.effect + text };
  }
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const required = tool.inputSchema.required ?? [];
  const isPrefix =
    required.length > 0 &&
    required.length <= 3 &&
    names.slice(0, required.length).every((name) => required.includes(name));
  const isScalar = required.every((name) => scalar.includes(tool.inputSchema.properties?.[name]?.type));
  if (way < 0.2 && isPrefix && isScalar) {
    const given = names
      .slice(0, required.length)
      .map((name) => JSON.stringify(sampleValue(tool.inputSchema, tool.inputSchema.properties[name])));
    return {
      kind: "correct",
      value,
      text: `${facts.effect}return await ${facts.identifier}.${tool.functionName}(${given.join(", ")});`,
    };
  }
  if (way < 0.35) {
    const text = `${facts.effect}const args = ${args};\nObject.assign(args, {});\nconst r = await ${facts.identifier}.${tool.functionName}(args);\nreturn r;`;
    return { kind: "correct", value, text };
  }
  const paths = tool.outputSchema === undefined ? [] : listResultPaths(tool.outputSchema, tool.outputSchema);
  const use =
    paths.length > 0 && random() < 0.7
      ? `const r = await CALL;\nreturn ${toAccess("r", pick(random, paths))};`
      : pick(random, plainUses)();
  return { kind: "correct", value, text: compose(random, facts, args, use) };
};

/** One program with one mistake of a kind; undefined if the tool does not allow it. `right` is the word that fixes it. */
const makeMistake = (random, { catalog, tool }, kind) => {
  const facts = toFacts({ catalog, tool });
  const schema = tool.inputSchema;
  const value = sampleValue(schema, schema, 2);
  const fields = schema.properties ?? {};
  const use = pick(random, plainUses.slice(0, 6))();
  const isClosed =
    !schema.anyOf &&
    !schema.oneOf &&
    !schema.allOf &&
    (schema.additionalProperties ?? false) === false &&
    !schema.patternProperties;
  const withArgs = (args, right) => ({ kind, right, value, text: compose(random, facts, args, use) });
  switch (kind) {
    case "wrong tool": {
      const wrong = misspell(random, tool.functionName);
      if (catalog.find(wrong) !== undefined) return undefined;
      return {
        kind,
        right: tool.functionName,
        value,
        text: compose(
          random,
          { ...facts, tool: { ...tool, functionName: wrong, name: wrong } },
          toObject(value),
          use,
        ),
      };
    }
    case "missing argument": {
      const name = (schema.required ?? []).find(
        (one) => fields[one] !== undefined && !("default" in fields[one]),
      );
      if (name === undefined || !(name in value)) return undefined;
      const { [name]: _left, ...rest } = value;
      return withArgs(toObject(rest), name);
    }
    case "misspelt argument": {
      const names = Object.keys(value).filter((name) => name.length > 3);
      if (!isClosed || names.length === 0) return undefined;
      const name = pick(random, names);
      const wrong = misspell(random, name);
      if (wrong in fields) return undefined;
      const given = Object.fromEntries(
        Object.entries(value).map(([key, held]) => [key === name ? wrong : key, held]),
      );
      return { ...withArgs(toObject(given), name), given };
    }
    case "wrong argument type": {
      const name = Object.keys(value).find(
        (one) => scalar.includes(fields[one]?.type) && fields[one].enum === undefined,
      );
      if (name === undefined) return undefined;
      const isVariable = random() < 0.4;
      const wrong = JSON.stringify(wrongFor[fields[name].type]);
      const args = toObject({ ...value, [name]: "WRONG" }).replace('"WRONG"', isVariable ? "wrong" : wrong);
      const made = withArgs(args, name);
      return isVariable
        ? { ...made, text: made.text.replace(facts.effect, `${facts.effect}let wrong = ${wrong};\n`) }
        : made;
    }
    case "wrong enum value": {
      const name = Object.keys(fields).find((one) =>
        fields[one].enum?.some((item) => typeof item === "string" && item.length > 2),
      );
      if (name === undefined) return undefined;
      const right = fields[name].enum.find((item) => typeof item === "string" && item.length > 2);
      const wrong = misspell(random, right);
      return fields[name].enum.includes(wrong)
        ? undefined
        : withArgs(toObject({ ...value, [name]: wrong }), right);
    }
    case "wrong field, closed result":
    case "wrong field, open result": {
      if (tool.outputSchema === undefined || isOpenResult(tool) !== (kind === "wrong field, open result"))
        return undefined;
      const paths = listResultPaths(tool.outputSchema, tool.outputSchema).filter(
        (path) => path.at(-1).length > 2,
      );
      if (paths.length === 0) return undefined;
      const path = pick(random, paths);
      const right = path.at(-1);
      const wrong = misspell(random, right);
      const siblings = paths.map((one) => one.at(-1));
      if (siblings.includes(wrong)) return undefined;
      const made = compose(
        random,
        facts,
        toObject(value),
        `const r = await CALL;\nreturn ${toAccess("r", [...path.slice(0, -1), wrong])};`,
      );
      return { kind, right, value, text: made };
    }
    case "missing await": {
      const way = pick(random, [
        "const r = CALL;\nreturn r.items;",
        "const r = CALL;\nconsole.log(`answer: ${r}`);",
        "const { items } = CALL;\nreturn items;",
        "for (const item of CALL) console.log(item);",
        "const r = CALL;\nif (r) console.log(JSON.stringify(r));",
        "return { answer: CALL };",
      ]);
      return { kind, right: "await", value, text: compose(random, facts, toObject(value), way) };
    }
    case "unknown import": {
      const way = pick(random, [
        [
          `import { ${tool.functionName} } from "servers/${misspell(random, facts.identifier)}";`,
          facts.identifier,
        ],
        ['import { execSync } from "node:child_process";', "servers/"],
        [
          `import { ${misspell(random, tool.functionName)} as other } from "servers/${facts.identifier}";`,
          tool.functionName,
        ],
      ]);
      if (way[1] === tool.functionName && catalog.find(/\{ (\S+) as/.exec(way[0])?.[1] ?? "") !== undefined)
        return undefined;
      const rest = way[1] === tool.functionName ? "await other({});" : "";
      return {
        kind,
        right: way[1],
        value,
        text: `${way[0]}\n${facts.effect}${rest}const q = await ${facts.identifier}.${tool.functionName}(${toObject(value)});\nreturn q;`,
      };
    }
  }
  return undefined;
};

const mistakes = [
  "wrong tool",
  "missing argument",
  "misspelt argument",
  "wrong argument type",
  "wrong enum value",
  "wrong field, closed result",
  "wrong field, open result",
  "missing await",
  "unknown import",
];

/** A program of 30 lines that calls tools. */
const toLongProgram = (tools, number) => {
  const lines = tools.map(
    (tool, index) =>
      `const r${index} = await ${tool.identifier}.${tool.functionName}(${tool.args});\nif (r${index}) console.log(${number}, JSON.stringify(r${index}));`,
  );
  return `${lines.join("\n")}\nconst total = ${number};\nconst rows = [1, 2, 3].map((n) => ({ n, total: n * total }));\nfor (const row of rows) {\n  console.log(row.n, row.total);\n}\nreturn rows.filter(({ n }) => n > 1).length;`;
};

const writeArguments = (value) => JSON.stringify(value);

export const typescript = { makeCorrect, makeMistake, mistakes, toLongProgram, writeArguments };
