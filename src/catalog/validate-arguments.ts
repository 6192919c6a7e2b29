// Refuses arguments that do not fit a tool's schema, before the server is called.
import { CoordinatorError, type JsonObject, type Tool } from "../contracts/index.js";
import {
  describeFields,
  findProblems,
  type Problem,
  quote,
  quoteTool,
  type ValuePath,
} from "../schema/index.js";

const maxListed = 3;

const plainKey = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** `items[2].price`, `headers["content type"]`. */
const renderPath = (path: ValuePath | undefined): string => {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.unshift(at.key);
  return keys
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      if (!plainKey.test(key)) return index === 0 ? key : `[${quote(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join("");
};

const renderProblem = ({ path, kind, describe }: Problem): string => {
  if (path === undefined) return `the arguments object ${describe()}`;
  const name = quote(renderPath(path));
  return kind === "unknown" ? `unknown argument ${name}${describe()}` : `argument ${name} ${describe()}`;
};

/**
 * Throws ARGUMENTS_INVALID if the arguments do not fit the tool's schema. Patterns, formats, remote schemas and
 * anything beyond the budget of steps are left to the server.
 */
export const validateArguments = (tool: Tool, value: JsonObject): void => {
  const problems = findProblems(tool.inputSchema, value);
  if (problems.length === 0) return;
  const listed = problems.slice(0, maxListed).map(renderProblem);
  const more = problems.length > maxListed ? "; and more" : "";
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot call ${quoteTool(tool)}: ${listed.join("; ")}${more}`,
    { hint: describeFields(tool.inputSchema) },
  );
};
