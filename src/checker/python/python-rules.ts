// Rules for Python programs only: imports must resolve, coroutines must be awaited, skill calls must fit the skill's parameters.
import { skillsName, skillsServer } from "../../contracts/index.js";
import { didYouMean, type Finding, quote, show } from "../check.js";
import type { SkillFunction } from "../program.js";
import { bindInOrder } from "../rules/bind-values.js";
import { listParameters } from "../rules/check-built-ins.js";
import type { SkillRules } from "../rules/check-skill-calls.js";
import { listConnected, refuseImport, unknownServerImport, unknownTool } from "../rules/check-tools.js";
import { readImport } from "../rules/entity.js";
import type { Imported } from "../rules/tree.js";
import { readPlainFunction } from "../skills/read-python-function.js";
import { dialect, libraryName, type PythonContext } from "./dialect.js";
import { isImportGuarded } from "./guards.js";
import type { Expression, Import, ImportedName, PythonNode } from "./syntax/node.js";

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
  const near = request.nearestNames(name, known.identifiers);
  return [
    {
      severity: "error",
      code: "SERVER_UNKNOWN",
      offset: start,
      message: `Cannot import ${quote(`${libraryName}.${name}`)}: no server ${quote(name)} is connected${didYouMean(near)}`,
      hint: listConnected(known),
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
  const server = near ?? first?.catalog.identifier ?? known.identifiers[0] ?? "<server>";
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

/** Built-in functions that inspect their argument. */
const inspectors = new Set([
  "str",
  "repr",
  "bool",
  "len",
  "int",
  "float",
  "format",
  "list",
  "sorted",
  "sum",
  "print",
]);

export const checkAwaits = (context: PythonContext): readonly Finding[] => {
  const { syntax, tree } = context;
  // Names with exactly one binding.
  const holders = new Map(
    syntax.bindings.flatMap((binding) => {
      const [site, ...others] = binding.sites;
      const isWhole = site?.kind === "assign" && (site.path ?? []).length === 0 && others.length === 0;
      return isWhole ? [[site.value, binding]] : [];
    }),
  );
  return syntax.nodes.flatMap((node): readonly Finding[] => {
    const sites = node.kind === "call" ? syntax.referenceOf(node.callee)?.binding?.sites : undefined;
    const found =
      sites?.length === 1 && sites[0] !== undefined ? tree.functionOf(sites[0].holder) : undefined;
    if (node.kind !== "call" || found?.isAsync !== true || !found.isPlain) return [];
    const name = syntax.text.slice(node.callee.start, node.callee.end);
    if (isMistaken(context, node)) return [toMistake(node, `${name}(…)`, name)];
    const used = holders.get(node)?.references.find((reference) => isMistaken(context, reference.node));
    return used === undefined ? [] : [toMistake(used.node, used.node.name, name)];
  });
};

const isMistaken = ({ syntax }: PythonContext, node: Expression): boolean => {
  const parent = syntax.parentOf(node);
  switch (parent?.kind) {
    case "format":
      return true;
    case "choice":
      return parent.test === node;
    case "while":
      return true;
    case "branch":
      // A `match` does not test whether its subject is true.
      return parent.tests.includes(node) && parent.captures.length === 0 && !isMatch(syntax.text, parent);
    case "clause":
      return parent.conditions.includes(node);
    case "subscript":
      return parent.object === node;
    case "operation":
      if (/^(?:is|in|not in|is not)$/.test(parent.operator)) return false;
      // The last operand is passed on: `ready and load()`.
      return !/^(?:and|or)$/.test(parent.operator) || parent.operands.at(-1) !== node;
    case "call":
      return (
        parent.callee.kind === "name" &&
        inspectors.has(parent.callee.name) &&
        syntax.referenceOf(parent.callee)?.binding === undefined &&
        parent.values.includes(node)
      );
    default:
      return false;
  }
};

const isMatch = (text: string, { start }: PythonNode): boolean =>
  /^match\b/.test(text.slice(start, start + 6));

const toMistake = ({ start }: PythonNode, used: string, name: string): Finding => ({
  severity: "error",
  code: "AWAIT_MISSING",
  offset: start,
  message: `Cannot use ${quote(used)} as a value: it is a coroutine, the "await" before ${quote(`${name}(…)`)} is missing`,
  hint: `Write (await ${show(used)})`,
});

/** `from skills.x import f`, or `f` of an imported module. */
const findSkill = ({ request }: PythonContext, { module, name }: Imported): SkillFunction | undefined => {
  if (!module.startsWith(`${skillsName}.`) || name === undefined) return undefined;
  const path = module.replaceAll(".", "/");
  const file = request.adapters?.find((one) => one.path === `${path}/__init__.py`);
  if (file === undefined) return undefined;
  // A decorator may change the parameters, and a second definition replaces the first.
  const found = readPlainFunction(file.text, name);
  // Stars and slashes decide which values can be passed by name.
  return found !== undefined && !/[*/]/.test(found.signature) ? found : undefined;
};

export const skillRules: SkillRules<PythonContext> = {
  find: findSkill,
  bind: ({ tree, dialect }, { parameters }, call) =>
    bindInOrder(tree, listParameters(parameters), call, dialect),
  wanted: dialect.arguments,
  // Python does not check types.
  isCertain: ({ request }, { code }) => code !== "ARGUMENT_WRONG" && request.isSession !== true,
};
