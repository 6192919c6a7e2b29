// Checks the arguments of skill calls in a Python program against the parameters in the skill's source.
import { skillsName } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { bindInOrder } from "../rules/bind-values.js";
import { listParameters } from "../rules/check-built-ins.js";
import { findArgumentProblems } from "../rules/find-argument-problems.js";
import { type Node, readImported } from "../rules/tree.js";
import { readPythonFunction } from "../skills/read-python-function.js";
import type { SkillFunction } from "../skills/skill-function.js";
import type { PythonContext } from "./dialect.js";

const maxFindings = 20;

export const checkSkillCalls = (context: PythonContext): readonly Finding[] => {
  const { syntax, tree, request, dialect } = context;
  const findings: Finding[] = [];
  for (const call of syntax.nodes) {
    if (findings.length >= maxFindings) break;
    const skill = call.kind === "call" ? findSkill(context, call.callee) : undefined;
    // Stars and slashes decide which values can be passed by name.
    if (call.kind !== "call" || skill === undefined || /[*/]/.test(skill.signature)) continue;
    if (context.isProbed(call)) continue;
    const { parameters: schema, signature, name } = skill;
    const problems = findArgumentProblems({
      nearestNames: request.nearestNames,
      name,
      toSignature: () => signature,
      schema,
      bound: bindInOrder(tree, listParameters(schema), { ...call, node: call }, dialect),
      wanted: dialect.arguments,
    });
    // Python does not check types, so a value of another type is only a warning.
    for (const finding of problems)
      findings.push(
        finding.code === "ARGUMENT_WRONG" || request.isSession
          ? { ...finding, severity: "warning" }
          : finding,
      );
  }
  return findings;
};

/** The skill function that a call refers to: `from skills.x import f`, or `f` of an imported module. */
const findSkill = ({ request, tree }: PythonContext, callee: Node): SkillFunction | undefined => {
  const { module = "", name: wanted } = readImported(tree, callee) ?? {};
  if (!module.startsWith(`${skillsName}.`) || wanted === undefined) return undefined;
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
