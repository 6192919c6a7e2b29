// The JavaScript module behind `import { listTools, github } from "servers"`.
import { discoveryServer, type LibraryFile } from "../../contracts/index.js";
import { quoteText, renderName } from "./quote-text.js";

/** Where the module is found. */
export const wholePath = "servers";

interface WholeOptions {
  /** The names that a program imports: functions to look around, and servers. */
  readonly names: readonly string[];
  /** Which of the names are functions; the others are servers. */
  readonly functions: readonly string[];
}

/** Functions and servers under the names that were asked for, and all servers as default. */
export const writeWholeModule = ({ names, functions }: WholeOptions): LibraryFile => {
  const exported = [...new Set(names)].filter((name) => name !== "default");
  const lines = exported.map((name, at) => {
    const owner = functions.includes(name) ? "functions" : "servers";
    const local = `export${at}`;
    return `const ${local} = ${owner}[${quoteText(name)}];\nexport { ${local} as ${renderName(name)} };\n`;
  });
  const head = `const { servers } = globalThis;\nconst functions = servers[${quoteText(discoveryServer)}];\n`;
  return { path: wholePath, source: `${head}${lines.join("")}export default servers;\n` };
};
