// Checks the names and arguments of calls to built-in functions and skills in a Python program.
import { type JsonSchema, skillsName, skillsServer } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { ownFunctions, showOwn } from "../rules/own-functions.js";
import { toProperties, toUnknown } from "../rules/check-own-functions.js";
import type { PythonContext } from "../rules/context.js";
import { findArgumentProblems } from "../rules/find-argument-problems.js";
import { readPythonFunction } from "../skills/read-python-function.js";
import type { SkillFunction } from "../skills/skill-function.js";
import type { BoundValues } from "../rules/bind-values.js";
import { findSite } from "./find-site.js";
import type { Site } from "./scope.js";
import type { Attribute, Call, Expression } from "./syntax/node.js";
import { bindCall, bindInOrder } from "./bind-call.js";
import { isProbed } from "./guards.js";

const { objects, find } = ownFunctions.python;
const maxFindings = 20;

export const checkOwnFunctions = (context: PythonContext): readonly Finding[] => {
  const findings: Finding[] = [];
  for (const node of context.syntax.nodes) {
    if (findings.length >= maxFindings) break;
    if (node.kind === "attribute") findings.push(...checkMember(context, node));
    else if (node.kind === "call")
      findings.push(...checkOwnCall(context, node), ...checkSkillCall(context, node));
  }
  return findings;
};

/** An earlier program of the session may have bound the name. */
const severityIn = ({ request }: PythonContext): Finding["severity"] =>
  request.isSession ? "warning" : "error";

const checkMember = (context: PythonContext, node: Attribute): readonly Finding[] => {
  const object = readPath(context, node.object);
  const names = object === undefined ? undefined : objects.get(object);
  const { name: member, nameStart: offset } = node;
  if (object === undefined || names === undefined || names.includes(member) || member.startsWith("_"))
    return [];
  if (object === "workspace" && ["workspace", "memory", "functions"].includes(member)) return [];
  if (object === skillsName && (member === "list_tools" || isSkill(context, member))) return [];
  // Assigning to it creates it.
  const parent = context.syntax.parentOf(node);
  const isSet = parent?.kind === "assign" && parent.value !== node;
  if (isSet || isProbed(context, node)) return [];
  const severity = severityIn(context);
  return [toUnknown(context.request.nearestNames, { object, member, names, offset, severity })];
};

const isSkill = ({ request }: PythonContext, name: string): boolean =>
  (request.adapterNames?.get(skillsServer) ?? []).some((one) => one === name || one.startsWith(`${name}.`));

const checkOwnCall = (context: PythonContext, call: Call): readonly Finding[] => {
  const { syntax, sites } = context;
  const path = readPath(context, call.callee);
  const own = path === undefined ? undefined : find(path);
  if (path === undefined || own === undefined || isProbed(context, call)) return [];
  const options = { syntax, sites };
  const { schema } = own;
  const bound = own.isToolLike
    ? bindCall(options, { schema, node: call, values: call.values })
    : bindInOrder(options, call, Object.keys(toProperties(schema)));
  return describe(context, { name: path, signature: showOwn(path, own), schema, bound });
};

/** The path of a built-in function (`memory.save`), however it is written; undefined if it is not one. */
const readPath = (context: PythonContext, node: Expression): string | undefined => {
  const { syntax, known, request } = context;
  if (node.kind === "attribute") {
    const object = readPath(context, node.object);
    if (object === "workspace" && (node.name === "memory" || node.name === "workspace")) return node.name;
    return object === undefined ? undefined : `${object}.${node.name}`;
  }
  if (node.kind !== "name") return undefined;
  const reference = syntax.referenceOf(node);
  if (reference === undefined) return undefined;
  if (reference.binding !== undefined) {
    const site = findSite(syntax, reference, context.sites);
    return site?.kind === "import" ? readImport(site) : undefined;
  }
  const isOurs = !known.isGlobal(node.name) && request.declared?.includes(node.name) !== true;
  return isOurs ? node.name : undefined;
};

/** `from workspace import memory`, `import workspace`. */
const readImport = ({ statement, imported }: Site): string | undefined => {
  if (imported === undefined || imported.name === "*") return undefined;
  if (statement?.module === "workspace") return imported.name;
  return statement?.module === undefined && imported.name === "workspace" ? "workspace" : undefined;
};

/** The skill function that a call refers to: `from skills.x import f`, or `f` of an imported module. */
const findSkill = (context: PythonContext, callee: Expression): SkillFunction | undefined => {
  const module = callee.kind === "attribute" ? readModule(context, callee.object) : undefined;
  if (callee.kind === "attribute")
    return module === undefined ? undefined : readSkill(context, module, callee.name);
  const site = callee.kind === "name" ? siteOf(context, callee) : undefined;
  return site?.statement?.module === undefined || site.imported === undefined
    ? undefined
    : readSkill(context, site.statement.module, site.imported.name);
};

const siteOf = ({ syntax, sites }: PythonContext, node: Expression): Site | undefined => {
  const reference = syntax.referenceOf(node);
  const site = reference === undefined ? undefined : findSite(syntax, reference, sites);
  return site?.kind === "import" ? site : undefined;
};

const readModule = (context: PythonContext, node: Expression): string | undefined => {
  if (node.kind === "attribute") {
    const outer = readModule(context, node.object);
    return outer === undefined ? undefined : `${outer}.${node.name}`;
  }
  const site = node.kind === "name" ? siteOf(context, node) : undefined;
  if (site?.imported === undefined) return undefined;
  const { name, bound, start } = site.imported;
  if (site.statement?.module !== undefined) return `${site.statement.module}.${name}`;
  return bound.start === start ? name.split(".")[0] : name;
};

const readSkill = ({ request }: PythonContext, module: string, wanted: string): SkillFunction | undefined => {
  if (!module.startsWith(`${skillsName}.`)) return undefined;
  const path = module.replaceAll(".", "/");
  const file = request.adapters?.find((one) => one.path === `${path}/__init__.py`);
  if (file === undefined) return undefined;
  const found = readPythonFunction(file.text, wanted);
  // A decorator may change the parameters, and a second definition replaces the first.
  const heads = file.text.split("\n").flatMap((line, at, lines) => {
    const isHead = new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${wanted}\\b`).test(line);
    return isHead ? [lines[at - 1] ?? ""] : [];
  });
  const isPlain = heads.length === 1 && heads[0]?.startsWith("@") === false;
  return found?.name === wanted && isPlain ? found : undefined;
};

const checkSkillCall = (context: PythonContext, call: Call): readonly Finding[] => {
  const skill = findSkill(context, call.callee);
  // Stars and slashes decide which values can be passed by name.
  if (skill === undefined || /[*/]/.test(skill.signature) || isProbed(context, call)) return [];
  const { syntax, sites } = context;
  const bound = bindInOrder({ syntax, sites }, call, Object.keys(toProperties(skill.parameters)));
  const { parameters: schema, signature, name } = skill;
  // Python does not check types, so a value of another type is only a warning.
  return describe(context, { name, signature, schema, bound }).map((finding) =>
    finding.code === "ARGUMENT_WRONG" ? { ...finding, severity: "warning" } : finding,
  );
};

interface Called {
  readonly name: string;
  readonly signature: string;
  readonly schema: JsonSchema;
  readonly bound: BoundValues;
}

const describe = (context: PythonContext, { name, signature, schema, bound }: Called): readonly Finding[] =>
  findArgumentProblems({
    nearestNames: context.request.nearestNames,
    name,
    toSignature: () => signature,
    schema,
    bound,
    wanted: "keyword arguments",
  }).map((finding) => ({ ...finding, severity: severityIn(context) }));
