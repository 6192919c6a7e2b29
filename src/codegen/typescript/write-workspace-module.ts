// The JavaScript modules behind `import fs from "fs/promises"` and `import { memory } from "workspace"`.
import { type LibraryFile, workspaceModules, workspaceServer } from "../../contracts/index.js";
import { quoteText } from "./quote-text.js";

/** One of the modules of the workspace; undefined when the path is none of theirs. */
export const writeWorkspaceModule = (path: string): LibraryFile | undefined => {
  const names = workspaceModules.get(path);
  if (names === undefined) return undefined;
  const service = `globalThis.servers[${quoteText(workspaceServer)}]`;
  const exported = `export const { ${names.join(", ")} } = module;\n`;
  if (path === "workspace")
    return { path, source: `const module = ${service};\n${exported}export default module.workspace;\n` };
  const fs = `${service}.fs`;
  const module = path.endsWith("/promises") ? fs : `{ promises: ${fs}, constants: ${fs}.constants }`;
  return { path, source: `const module = ${module};\n${exported}export default module;\n` };
};
