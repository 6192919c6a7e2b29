// The function of one tool: called with keyword arguments or with one dictionary.
import type { Tool } from "../../contracts/index.js";
import { quoteText } from "./quote-text.js";
import { renderDocstring } from "./render-comment.js";
import type { Parameters } from "./render-parameters.js";

interface FunctionOptions {
  readonly tool: Tool;
  readonly functionName: string;
  /** The type of a dictionary of arguments. */
  readonly dictionary: string;
  /** Undefined when only a dictionary can name what is needed. */
  readonly parameters: Parameters | undefined;
  readonly result: string;
}

const longestComment = 4000;
const longestLine = 100;

const renderHead = (name: string, parameters: readonly string[], result: string): string => {
  const line = `def ${name}(${parameters.join(", ")}) -> ${result}:`;
  if (line.length <= longestLine) return line;
  return `def ${name}(\n${parameters.map((text) => `    ${text},\n`).join("")}) -> ${result}:`;
};

const renderOverload = (name: string, parameters: readonly string[], result: string): string =>
  `@overload\n${renderHead(name, parameters, result)} ...\n`;

const toDocstring = ({ tool, parameters }: FunctionOptions): string => {
  const leftOut = (parameters?.leftOut ?? []).slice(0, 20).map(quoteText);
  const notes = leftOut.length > 0 ? [`Only in a dictionary of arguments: ${leftOut.join(", ")}`] : [];
  const documentation = { description: tool.description, notes };
  return renderDocstring({ documentation, indent: "    ", longest: longestComment });
};

/** What there is to know of a function without how it calls: one head, the comment, no body. */
export const renderStub = (options: FunctionOptions): string => {
  const { functionName, dictionary, parameters, result } = options;
  const taken = parameters?.texts ?? [`arguments: ${dictionary}`, "/"];
  return `${renderHead(functionName, taken, result)}\n${toDocstring(options)}    ...\n`;
};

/** The wire's names are passed on, so that the function's own name need not be found again. */
export const renderFunction = (options: FunctionOptions): string => {
  const { tool, functionName, dictionary, parameters } = options;
  const result = `Answer[${options.result}]`;
  const docstring = toDocstring(options);
  const [server, name] = [quoteText(tool.server), quoteText(tool.name)];
  if (parameters === undefined) {
    const head = renderHead(functionName, [`arguments: ${dictionary}`, "/"], result);
    const call = `_call(${server}, ${name}, (arguments,), {})`;
    return `${head}\n${docstring}    return cast(${quoteText(result)}, ${call})\n`;
  }
  return [
    renderOverload(functionName, parameters.texts, result),
    renderOverload(functionName, [`arguments: ${dictionary}`, "/"], result),
    `${renderHead(functionName, ["*values: Any", "**fields: Any"], "Any")}\n${docstring}`,
    `    return _call(${server}, ${name}, values, fields)\n`,
  ].join("");
};
