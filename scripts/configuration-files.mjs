// Generates the configuration's JSON Schema and reference tables from the schemas that validate it.
import * as z from "zod";

const toJsonSchema = (schema) => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return rest;
};

/** A JSON Schema with a description for every property. A property without one is an error. */
const withMeanings = (schema, meaningOf, path = []) => ({
  ...schema,
  ...(schema.properties === undefined
    ? {}
    : {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([name, property]) => {
            const place = [...path, name];
            const description = meaningOf(place);
            if (description === undefined)
              throw new Error(
                `Cannot document "${place.join(".")}": src/config/meanings.ts does not have it`,
              );
            return [name, { description, ...withMeanings(property, meaningOf, place) }];
          }),
        ),
      }),
  ...(schema.additionalProperties?.properties === undefined
    ? {}
    : { additionalProperties: withMeanings(schema.additionalProperties, meaningOf, [...path, "*"]) }),
});

const describeSettings = ({ settingsSchema, settingMeanings, limitTable }) => {
  const unused = new Set(Object.keys(settingMeanings));
  const described = withMeanings(toJsonSchema(settingsSchema), (path) => {
    unused.delete(path.join("."));
    const isLimit = path.at(-2) === "limits";
    return isLimit ? limitTable[path.at(-1)]?.meaning : settingMeanings[path.join(".")];
  });
  if (unused.size > 0)
    throw new Error(`There is no setting "${[...unused].join('", "')}", but it has a meaning`);
  return described;
};

const describeEntry = ({ serverEntrySchema, settingMeanings, entryMeanings }) =>
  withMeanings(toJsonSchema(serverEntrySchema), (path) =>
    path.length === 1 ? entryMeanings[path[0]] : settingMeanings[path.join(".")],
  );

const transports = ["stdio", "http", "streamable-http", "sse"];

const servers = (description) => ({
  description,
  type: "object",
  additionalProperties: { $ref: "#/definitions/server" },
});

/** The JSON Schema of a file with `mcpServers` or `servers`, and our own settings. Other clients' keys are allowed. */
export const toConfigurationSchema = (facts) => {
  const settings = describeSettings(facts);
  const server = describeEntry(facts);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of mcp-coordinator",
    type: "object",
    properties: {
      $schema: { type: "string", description: "Where this schema is, for editors; it has no effect." },
      description: {
        type: "string",
        description: "Stands in for the description of servers that have none.",
      },
      mcpServers: servers("MCP servers by name, as most clients write them."),
      servers: servers("The same, under the key that VS Code uses."),
      coordinator: {
        ...settings,
        description: "Settings of mcp-coordinator itself.",
        properties: {
          ...settings.properties,
          addServers: {
            ...settings.properties.addServers,
            properties: { from: servers(settings.properties.addServers.properties.from.description) },
          },
        },
      },
    },
    definitions: {
      // Fields of other clients are valid, and a transport can be written in several ways, so both are only suggested.
      server: {
        ...server,
        description: "One server.",
        additionalProperties: true,
        properties: { ...server.properties, type: { ...server.properties.type, examples: transports } },
      },
    },
  };
};

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const code = (text) => `\`${text}\``;

const toDefault = (value) => {
  if (value === undefined) return "none";
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(code).join(", ");
  return typeof value === "object" ? "none" : code(value);
};

const toRange = ({ type, enum: names, anyOf, minimum, maximum, items }) => {
  if (anyOf !== undefined) return anyOf.map(toRange).join(", ");
  if (names !== undefined) return names.map(code).join(", ");
  if (type === "integer") return `${minimum.toLocaleString("en-US")} to ${maximum.toLocaleString("en-US")}`;
  if (type === "number") return "a number";
  if (type === "boolean") return "`true`, `false`";
  if (type === "array") return `a list of ${items.type === "string" ? "strings" : "values"}`;
  return type === "object" ? "an object" : "a string";
};

/** Where a setting is explained at length. */
const furtherReading = {
  approve: "state.md#runs-that-wait-for-people",
  output: "output.md",
  runPython: "compatibility.md#run_python",
  addServers: "#servers-that-an-agent-may-add",
  libraryFolder: "library.md",
  stateFolder: "state.md",
  skillsFolder: "skills.md",
  journal: "state.md#runs",
  http: "http.md",
  model: "ask.md",
  executor: "executors.md",
  profiles: "#one-of-profiles",
};

const withReading = (name, text) =>
  furtherReading[name] === undefined ? text : `${text} [More](${furtherReading[name]}).`;

/** The tables of settings that belong to no group, each in the order shown. */
const topics = {
  "Servers and programs": ["launch", "maxStarts", "allowSelf", "executor", "jitless", "packages", "profiles"],
  "Rules and approvals": [
    "approve",
    "approvals",
    "policy",
    "audit",
    "pins",
    "pinsFile",
    "pinsIgnore",
    "cache",
  ],
  "What agents see": ["surface", "serves", "output", "callTool", "runPython", "answerWithinMs"],
  "Stored data": [
    ...["stateFolder", "cacheFolder", "libraryFolder", "workspace", "journal", "syncToDisk"],
    ...["skillsFolder", "skillSignatures", "proposeSkills", "vault", "clientMetadataUrl"],
  ],
};

const isGroup = ({ type, properties, additionalProperties }) =>
  type === "object" && properties !== undefined && additionalProperties === false;

const head = ["Name", "Default", "Values", "Environment variable", "Meaning"];

/** One table for each topic of single settings, and one for each group of settings. */
export const toSettingTables = (facts) => {
  const { properties } = describeSettings(facts);
  const variables = new Map(facts.settings.map(({ path, variable }) => [path.join("."), variable]));
  const toRow = (path, name, schema) => [
    code(name),
    // The description explains a default that depends on the machine.
    schema.description.includes("Default: ") ? "see meaning" : toDefault(schema.default),
    toRange(schema),
    variables.has(path) ? code(variables.get(path)) : "",
    withReading(name, schema.description),
  ];
  const alone = Object.entries(properties).filter(([, schema]) => !isGroup(schema));
  const groups = Object.entries(properties).filter(([, schema]) => isGroup(schema));
  const parts = groups.map(([name, schema]) =>
    [
      `### ${code(name)}`,
      withReading(name, schema.description),
      table(
        head,
        Object.entries(schema.properties).map(([key, one]) => toRow(`${name}.${key}`, key, one)),
      ),
    ].join("\n\n"),
  );
  const profile = properties.profiles.additionalProperties;
  const profileTable = [
    "### One of `profiles`",
    "A field that is left out keeps the value of the setting.",
    table(
      ["Name", "Values", "Meaning"],
      Object.entries(profile.properties).map(([name, schema]) => [
        code(name),
        isGroup(schema) ? "an object" : toRange(schema),
        schema.description,
      ]),
    ),
  ].join("\n\n");
  const listed = Object.values(topics).flat();
  const unlisted = alone.map(([name]) => name).filter((name) => !listed.includes(name));
  if (unlisted.length > 0) throw new Error(`Add "${unlisted.join('", "')}" to the topics of this file`);
  const topicTables = Object.entries(topics).map(
    ([title, names]) =>
      `### ${title}\n\n${table(
        head,
        names.map((name) => toRow(name, name, properties[name])),
      )}`,
  );
  return [...topicTables, ...parts, profileTable].join("\n\n");
};

/** The fields of one server's entry. */
export const toServerTable = (facts) =>
  table(
    ["Field", "Meaning"],
    Object.entries(describeEntry(facts).properties).map(([name, { description }]) => [
      code(name),
      description,
    ]),
  );
