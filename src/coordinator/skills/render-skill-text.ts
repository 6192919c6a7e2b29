// Renders the body of a SKILL.md: what the skill does, how to use it, what it takes and calls.
import { makeExample } from "../../catalog/index.js";
import type { SkillFunction } from "../../checker/index.js";
import type { Json, JsonObject, Language, SkillPin, Tool } from "../../contracts/index.js";
import { renderSkillCall } from "./find-skill.js";

export interface SkillTextFacts {
  readonly name: string;
  readonly category: string | undefined;
  readonly description: string;
  readonly language: Language;
  readonly found: SkillFunction;
  readonly pins: readonly SkillPin[];
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toTypeName = (schema: Json | undefined): string => {
  if (!isObject(schema)) return "any value";
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  return typeof schema.type === "string" ? schema.type : "any value";
};

const renderParameters = ({ parameters }: SkillFunction): readonly string[] => {
  const properties = isObject(parameters.properties) ? parameters.properties : {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return Object.entries(properties).map(
    ([name, schema]) => `- \`${name}\`: ${toTypeName(schema)}${required.includes(name) ? "" : ", optional"}`,
  );
};

const toWords = (values: JsonObject): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");

export const renderSkillText = ({
  name,
  category,
  description,
  language,
  found,
  pins,
}: SkillTextFacts): string => {
  const path = category === undefined ? name : `${category.toLowerCase()}/${name}`;
  const isPython = language === "python";
  const module = isPython ? `skills.${path.replaceAll("/", ".").replaceAll("-", "_")}` : `skills/${path}`;
  const line = isPython
    ? `from ${module} import ${found.name}`
    : `import ${found.isDefault ? found.name : `{ ${found.name} }`} from "${module}";`;
  const values = makeExample({ name, inputSchema: found.parameters } as Tool) ?? {};
  const parameters = renderParameters(found);
  return [
    `# ${name.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase())}`,
    "",
    description.replace(/\s+/g, " ").trim(),
    "",
    "## Use",
    "",
    "In a program of mcp-coordinator:",
    "",
    `\`\`\`${isPython ? "python" : "ts"}`,
    line,
    renderSkillCall(language, found, values) + (isPython ? "" : ";"),
    "```",
    "",
    `On the command line: \`mcp-coordinator skills run ${path}${toWords(values)}\``,
    "",
    `Signature: \`${found.signature.replaceAll("`", "'")}\``,
    ...(parameters.length === 0 ? [] : ["", "## Parameters", "", ...parameters]),
    ...(pins.length === 0
      ? []
      : ["", "## Calls", "", ...pins.map(({ server, tool }) => `- \`${server}.${tool}\``)]),
  ].join("\n");
};
