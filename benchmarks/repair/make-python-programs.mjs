// Generates Python programs over real tools: each is correct and has a twin with one mistake.
import { isOpenResult, misspell, pick, scalar, wrongFor } from "./make-programs.mjs";
import { listResultPaths, sampleValue } from "./sample-values.mjs";
import { isName, keywords, methods, toAccess, toArguments, toPython } from "./write-python.mjs";

/** Correct ways to write a call. */
const styles = [
  ({ name, identifier, args }) => ({
    head: `from mcp_tools.${identifier} import ${name}`,
    call: `${name}(${args})`,
  }),
  ({ name, identifier, args }) => ({ head: "", call: `${identifier}.${name}(${args})` }),
  ({ name, identifier, args }) => ({
    head: `import mcp_tools.${identifier} as api`,
    call: `api.${name}(${args})`,
  }),
  ({ name, identifier, args }) => ({
    head: `from mcp_tools import ${identifier} as api`,
    call: `api.${name}(${args})`,
  }),
  ({ name, identifier, args }) => ({
    head: `from mcp_tools.${identifier} import ${name} as run`,
    call: `run(${args})`,
  }),
  ({ tool, server, args }) => ({
    head: "",
    call: `call_tool(${JSON.stringify(server)}, ${JSON.stringify(tool)}${args === "" ? "" : `, ${args}`})`,
  }),
  ({ tool, server, args }) => ({
    head: "",
    call: `call_mcp_tool(${JSON.stringify(`${server}__${tool}`)}${args === "" ? "" : `, ${args}`})`,
  }),
  ({ tool, identifier, args }) => ({ head: "", call: `${identifier}[${JSON.stringify(tool)}](${args})` }),
  ({ name, identifier, args }) => ({
    head: `import mcp_tools\nrun = mcp_tools.${identifier}.${name}`,
    call: `run(${args})`,
  }),
];

/** `CALL` is the call, awaited where the program is async. */
const plainUses = [
  "r = CALL\nreturn r",
  "r = CALL\nrows = []\nout = {}\nout['value'] = r\nrows.append(out)\nprint([row['value'] for row in rows])",
  "r = None\ntry:\n    r = CALL\nexcept ToolError as error:\n    print(error.message, error.code)\nr",
  "for page in range(2):\n    r = CALL\n    if not r:\n        break\n    print(page, f'{r!r:.20}')",
  "def load(n):\n    r = CALL_PLAIN\n    return {'n': n, 'r': r}\nall_of_them = [load(n) for n in (1, 2)]\nlen(all_of_them)",
  "import json\nr = CALL\nif isinstance(r, str):\n    r = json.loads(r)\nprint(r.get('anything') if isinstance(r, dict) else r)",
  "class Counter:\n    def __init__(self):\n        self.count = 0\n    def add(self):\n        self.count += 1\n        return self\nr = CALL\nreturn [Counter().add().count, type(r).__name__]",
  "from collections import Counter, defaultdict\ncounts = Counter()\nr = CALL\nfor word in str(r).split():\n    counts[word] += 1\ncounts.most_common(3)",
];

const asyncUses = [
  "import asyncio\nasync def main():\n    r, other = await asyncio.gather(CALL_PLAIN, asyncio.sleep(0))\n    return [r, other]\nasyncio.run(main())",
  "import asyncio\nasync def load(n):\n    r = await CALL_PLAIN\n    return {'n': n, 'r': r}\nlen(await asyncio.gather(*[load(n) for n in range(2)]))",
];

const compose = (random, facts, args, use) => {
  const { head, call } = pick(random, styles)({ ...facts, args });
  const isAwaited = random() < 0.5;
  const text = use
    .replaceAll("CALL_PLAIN", () => call)
    .replaceAll("CALL", () => (isAwaited ? `await ${call}` : call));
  return `${head === "" ? "" : `${head}\n`}${facts.effect}${text}`;
};

/** A program that first has a side effect, so that a mistake found at run time is found too late. */
const toFacts = (random, { server, catalog, tool }) => {
  const { identifier } = catalog;
  const name = server.functionNames.get(tool);
  const value = sampleValue(tool.inputSchema, tool.inputSchema);
  const effect = `${identifier}.${name}(${toArguments(value, random() < 0.7)})\n`;
  return { name, tool: tool.name, server: catalog.server, identifier, effect };
};

/** One correct program over a tool. */
const makeCorrect = (random, { server, catalog, tool }) => {
  const facts = toFacts(random, { server, catalog, tool });
  const value = sampleValue(tool.inputSchema, tool.inputSchema, Math.floor(random() * 3));
  const args = toArguments(value, random() < 0.7);
  const way = random();
  const right = (text) => ({ kind: "correct", value, text });
  const { identifier, name } = facts;
  if (way < 0.08)
    return right(
      `${facts.effect}r = ${identifier}.${name}.raw(${args})\nprint(r["content"][0].get("text"), r.get("structuredContent"))`,
    );
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const required = tool.inputSchema.required ?? [];
  const isPrefix =
    required.length > 0 &&
    required.length <= 3 &&
    names.slice(0, required.length).every((one) => required.includes(one));
  const isScalar = required.every((one) => scalar.includes(tool.inputSchema.properties?.[one]?.type));
  if (way < 0.16 && isPrefix && isScalar) {
    const given = names
      .slice(0, required.length)
      .map((one) => toPython(sampleValue(tool.inputSchema, tool.inputSchema.properties[one])));
    return right(`${facts.effect}return ${identifier}.${name}(${given.join(", ")})`);
  }
  if (way < 0.24)
    return right(
      `${facts.effect}options = ${toPython(value)}\noptions.update({})\nr = ${identifier}.${name}(**options)\nr`,
    );
  if (way < 0.3)
    return right(
      `${facts.effect}def call(${identifier}, **more):\n    return ${identifier}.whatever(1, 2, 3)\nclass Fake:\n    def whatever(self, *values):\n        return {"anything": values}\ncall(Fake())["anything"]`,
    );
  if (way < 0.36)
    return right(
      `try:\n    import ${facts.name}_not_there as extra\nexcept ImportError:\n    extra = None\n${facts.effect}getattr(${identifier}, "no_such_tool", None)\nr = call_tool(${JSON.stringify(facts.server)}, ${JSON.stringify(tool.name)}${args === "" ? "" : `, ${args}`})\nextra or r`,
    );
  const paths = tool.outputSchema === undefined ? [] : listResultPaths(tool.outputSchema, tool.outputSchema);
  if (paths.length > 0 && random() < 0.7) {
    const path = pick(random, paths);
    const use = pick(random, [
      `r = CALL\nreturn ${toAccess("r", path)}`,
      `r = CALL\nr["added"] = 1\nprint(r["added"], ${toAccess("r", path)})`,
      `r = CALL\nprint(r.get("maybe"), ${toAccess("r", path)})`,
      `r = CALL\nif "maybe" in r:\n    print(r["maybe"])\n${toAccess("r", path)}`,
      `r = CALL\ntry:\n    print(r["maybe"])\nexcept KeyError:\n    pass\n${toAccess("r", path)}`,
      `r = CALL\nr = [r]\nprint(r[0])`,
      `r = CALL\nfor key in r:\n    print(key, r[key])\nprint([value for value in r.values()], dict(r.items()))`,
    ]);
    return right(compose(random, facts, args, use));
  }
  return right(compose(random, facts, args, pick(random, [...plainUses, ...asyncUses])));
};

/** One program with one mistake of a kind; undefined if the tool does not allow it. `right` is the word that fixes it. */
const makeMistake = (random, { server, catalog, tool }, kind) => {
  const facts = toFacts(random, { server, catalog, tool });
  const schema = tool.inputSchema;
  const value = sampleValue(schema, schema, 2);
  const fields = schema.properties ?? {};
  const use = pick(random, plainUses);
  const isNamed = random() < 0.7;
  const isClosed =
    !schema.anyOf &&
    !schema.oneOf &&
    !schema.allOf &&
    (schema.additionalProperties ?? false) === false &&
    !schema.patternProperties;
  const made = (text, right, more = {}) => ({ kind, right, value, text, ...more });
  const withArgs = (args, right, more) => made(compose(random, facts, args, use), right, more);
  switch (kind) {
    case "wrong tool": {
      const wrong = misspell(random, facts.name);
      if (catalog.find(wrong) !== undefined || !isName(wrong) || keywords.has(wrong)) return undefined;
      return made(
        compose(random, { ...facts, name: wrong, tool: wrong }, toArguments(value, isNamed), use),
        facts.name,
      );
    }
    case "missing argument": {
      const name = (schema.required ?? []).find(
        (one) => fields[one] !== undefined && !("default" in fields[one]),
      );
      if (name === undefined || !(name in value)) return undefined;
      const { [name]: _left, ...rest } = value;
      return withArgs(toArguments(rest, isNamed), name, { given: rest });
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
      return withArgs(toArguments(given, isNamed), name, { given });
    }
    case "wrong argument type": {
      const name = Object.keys(value).find(
        (one) => scalar.includes(fields[one]?.type) && fields[one].enum === undefined,
      );
      if (name === undefined) return undefined;
      const wrong = wrongFor[fields[name].type];
      if (random() < 0.6) return withArgs(toArguments({ ...value, [name]: wrong }, isNamed), name);
      const marked = toArguments({ ...value, [name]: "WRONG" }, isNamed).replace('"WRONG"', "wrong");
      return made(`wrong = ${toPython(wrong)}\n${compose(random, facts, marked, use)}`, name);
    }
    case "wrong enum value": {
      const name = Object.keys(fields).find((one) =>
        fields[one].enum?.some((item) => typeof item === "string" && item.length > 2),
      );
      if (name === undefined) return undefined;
      const right = fields[name].enum.find((item) => typeof item === "string" && item.length > 2);
      const wrong = misspell(random, right);
      if (fields[name].enum.includes(wrong)) return undefined;
      return withArgs(toArguments({ ...value, [name]: wrong }, isNamed), right);
    }
    case "wrong field, closed result":
    case "wrong field, open result":
    case "field as attribute": {
      const isField = kind !== "field as attribute";
      if (tool.outputSchema === undefined) return undefined;
      if (isField && isOpenResult(tool) !== (kind === "wrong field, open result")) return undefined;
      const paths = listResultPaths(tool.outputSchema, tool.outputSchema).filter(
        (path) => path.at(-1).length > 2 && isName(path.at(-1)) && !methods.has(path.at(-1)),
      );
      if (paths.length === 0) return undefined;
      const path = pick(random, paths);
      const right = path.at(-1);
      const above = path.slice(0, -1);
      const wrong = misspell(random, right);
      if (paths.some((one) => one.at(-1) === wrong)) return undefined;
      const args = toArguments(value, isNamed);
      const text = isField
        ? pick(random, [
            `r = CALL\nreturn ${toAccess("r", [...above, wrong])}`,
            `r = CALL\nprint({"${wrong}": ${toAccess("r", [...above, wrong])}})`,
            `def load():\n    r = CALL_PLAIN\n    return [${toAccess("r", [...above, wrong])}]\nload()`,
            `r = 1\nprint(r)\nr = CALL\nif r:\n    print(${toAccess("r", [...above, wrong])})`,
          ])
        : `r = CALL\nprint(${toAccess("r", above)}.${right})`;
      return made(compose(random, facts, args, text), right);
    }
    case "unbound name": {
      const wrong = `${misspell(random, "result")}_rows`;
      return made(
        compose(random, facts, toArguments(value, isNamed), `result_rows = CALL\nprint(${wrong})`),
        "result_rows",
      );
    }
    case "unknown import": {
      const wrongTool = misspell(random, facts.name);
      if (catalog.find(wrongTool) !== undefined || !isName(wrongTool) || keywords.has(wrongTool))
        return undefined;
      const [line, right] = pick(random, [
        [`from mcp_tools.${misspell(random, facts.identifier)} import ${facts.name}`, facts.identifier],
        [`import mcp_tools.${misspell(random, facts.identifier)} as other`, facts.identifier],
        [`from mcp_tools import ${misspell(random, facts.identifier)}`, facts.identifier],
        [`from mcp_tools.${facts.identifier} import ${wrongTool} as other`, facts.name],
      ]);
      const calls = `${facts.effect}q = ${facts.identifier}.${facts.name}(${toArguments(value, isNamed)})\nq`;
      return made(random() < 0.5 ? `${line}\n${calls}` : `${facts.effect}${line}\n${calls}`, right);
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
  "field as attribute",
  "unbound name",
  "unknown import",
];

/** A program of 30 lines that calls tools. */
const toLongProgram = (tools, number) => {
  const lines = tools.map(
    (tool, index) =>
      `r${index} = ${tool.identifier}.${tool.functionName}(${tool.args})\nif r${index}:\n    print(${number}, r${index})`,
  );
  return `${lines.slice(0, 8).join("\n")}\ntotal = ${number}\nrows = [{"n": n, "total": n * total} for n in (1, 2, 3)]\nfor row in rows:\n    print(row["n"], row["total"])\nreturn len([row for row in rows if row["n"] > 1])`;
};

const writeArguments = (value) => toArguments(value, true);

export const python = { makeCorrect, makeMistake, mistakes, toLongProgram, writeArguments };
