// Imports of a Python program must resolve to a connected server and its tools, or to an available module.
import { skillsName, skillsServer } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import { refuseImport, unknownServerImport, unknownTool } from "../rules/check-tools.js";
import { readImport } from "../rules/entity.js";
import { libraryName, type PythonContext } from "./dialect.js";
import { isImportGuarded } from "./guards.js";
import type { Import, ImportedName } from "./syntax/node.js";

const maxImports = 200;

export const checkImports = (context: PythonContext): readonly Finding[] =>
  context.syntax.nodes
    .filter((node): node is Import => node.kind === "import")
    .slice(0, maxImports)
    .filter((statement) => !isImportGuarded(context, statement))
    .flatMap((statement) => checkStatement(context, statement));

const checkStatement = (context: PythonContext, statement: Import): readonly Finding[] => {
  const { moduleStart, names } = statement;
  const module = statement.module?.replace(/^mcp\.servers\./, `${libraryName}.`);
  if (module === undefined)
    return names.flatMap(({ name, start }) => checkModule(context, statement, name, start));
  // A skill's file can import its neighbours.
  if (module.startsWith(".") && context.request.module !== undefined) return [];
  if (module.startsWith(".")) {
    const reason = "a program is not part of a package";
    return [refuseImport(module, moduleStart, reason, toExample(context))];
  }
  const [library, server] = module.split(".");
  if (library !== libraryName) return checkModule(context, statement, module, moduleStart);
  const findings = checkModule(context, statement, module, moduleStart);
  if (findings.length > 0) return findings;
  return names.flatMap((imported) =>
    server === undefined
      ? checkServer(context, imported)
      : module.split(".").length > 2
        ? []
        : checkTool(context, module, imported),
  );
};

/** `from mcp_tools import name`. */
const checkServer = (
  { request, known, library }: PythonContext,
  { name, start }: ImportedName,
): readonly Finding[] => {
  const entity = readImport(library, { kind: "import", module: libraryName, name });
  if (name === "*" || entity?.kind !== "unknown-server") return [];
  const identifiers = known.all.map(({ identifier }) => identifier);
  const near = request.nearestNames(name, identifiers);
  return [
    {
      severity: "error",
      code: "SERVER_UNKNOWN",
      offset: start,
      message: `Cannot import ${quote(`${libraryName}.${name}`)}: no server ${quote(name)} is connected${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
      hint: `Connected servers: ${identifiers.slice(0, 20).join(", ") || "none"}`,
    },
  ];
};

const checkTool = (
  context: PythonContext,
  module: string,
  { name, start }: ImportedName,
): readonly Finding[] => {
  const entity = readImport(context.library, { kind: "import", module, name });
  return entity?.kind === "unknown-tool" && name !== "*"
    ? [unknownTool(context, entity.server, entity.name, start)]
    : [];
};

const toExample = ({ known, request }: PythonContext, near?: string): string => {
  const [first] = request.servers;
  const server = near ?? first?.catalog.identifier ?? known.all[0]?.identifier ?? "<server>";
  return `Import tools like this: from ${libraryName}.${server} import tool_name`;
};

/** `skills.research.read_papers`: a known skill, a folder above one, or a module inside one. */
const checkSkill = ({ request }: PythonContext, path: string, offset: number): readonly Finding[] => {
  const wanted = path.split(".").slice(1).join(".");
  const names = request.adapterNames?.get(skillsServer) ?? [];
  const isFound = names.some((name) => name === wanted || name.startsWith(`${wanted}.`));
  if (wanted === "" || isFound) return [];
  const hint = "List them with skills.list(); a skill in TypeScript cannot be imported in Python";
  return [refuseImport(path, offset, "there is no such skill in Python", hint)];
};

const checkModule = (
  context: PythonContext,
  statement: Import,
  path: string,
  offset: number,
): readonly Finding[] => {
  const { known, request, syntax } = context;
  const [top = path, name] = path.split(".");
  if (top === libraryName) {
    if (name === undefined || name.startsWith("_") || known.find(name) !== undefined) return [];
    const prefix = `${libraryName}.`;
    return [unknownServerImport(context, statement.module ?? path, name, { offset, prefix })];
  }
  if (top === skillsName) return checkSkill(context, path, offset);
  const denied = request.deniedModules?.find((module) => path === module || path.startsWith(`${module}.`));
  if (denied !== undefined) {
    const hint = "Remove the import, or remove the module from coordinator.python.deny or the profile.";
    return [refuseImport(path, offset, `the configuration denies the module ${quote(denied)}`, hint)];
  }
  // Only code that is certain to run, and modules the program cannot have created itself.
  const isCertain =
    syntax.parentOf(statement) === undefined &&
    !/\bsys\.(?:modules|path|meta_path)\b|\.py\b/.test(syntax.text);
  if (!isCertain || request.missingModules?.includes(top) !== true) return [];
  const near = [known.find(top)?.identifier, known.find(name ?? "")?.identifier].find(
    (one) => one !== undefined,
  );
  const isNear = near !== undefined || request.nearestNames(top, [libraryName], 1).length > 0;
  const hint = isNear
    ? toExample(context, near)
    : [
        request.sandboxNote,
        "Only Python's own modules and those installed for the sandbox can be imported; servers are below mcp_tools.",
      ]
        .filter((part) => part !== undefined)
        .join(" ");
  return [refuseImport(path, offset, "there is no such module in the sandbox", hint)];
};
