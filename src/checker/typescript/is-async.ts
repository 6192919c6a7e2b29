// Detects whether an expression is certain to be an async function of the program.
import type { MemberExpression, Node } from "oxc-parser";
import { isFunction, readKey } from "./read-node.js";
import type { Syntax } from "./read-syntax.js";

/** A function, its name, or a method of an object literal or of an instance of the program's own class. */
export const isAsync = (syntax: Syntax, given: Node): boolean => {
  if (isFunction(given)) return "async" in given && given.async === true;
  const made = given.type === "MemberExpression" ? findMethod(syntax, given) : findFunction(syntax, given);
  if (made === undefined || !isFunction(made)) return false;
  return "async" in made && made.async === true && !("generator" in made && made.generator === true);
};

const findFunction = (syntax: Syntax, given: Node): Node | undefined => {
  const binding = given.type === "Identifier" ? syntax.bindingOf(given) : undefined;
  const declared = binding?.declaration;
  if (declared?.type === "FunctionDeclaration") return declared;
  return declared?.type === "VariableDeclarator" && binding?.kind === "const"
    ? (declared.init ?? undefined)
    : undefined;
};

const findMethod = (syntax: Syntax, given: MemberExpression): Node | undefined => {
  const { object } = given;
  const name = readKey(given);
  const binding = object.type === "Identifier" ? syntax.bindingOf(object) : undefined;
  if (name === undefined || binding?.kind !== "const" || binding.declaration.type !== "VariableDeclarator")
    return undefined;
  const { init } = binding.declaration;
  const owner =
    init?.type === "NewExpression" && init.callee.type === "Identifier"
      ? syntax.bindingOf(init.callee)?.declaration
      : init;
  const found =
    owner?.type === "ObjectExpression"
      ? owner.properties.filter((one) => one.type === "SpreadElement" || readKey(one) === name)
      : owner?.type === "ClassDeclaration"
        ? owner.body.body.filter((one) => "key" in one && "computed" in one && readKey(one) === name)
        : [];
  const [member] = found;
  const isPlain =
    (member?.type === "Property" && member.kind === "init") ||
    (member?.type === "MethodDefinition" && member.kind === "method" && !member.static);
  if (!isPlain || found.length > 1 || listReplaced(syntax).has(name)) return undefined;
  // Other code that receives the object may change it.
  const isUnchanged = binding.references.every(({ node }) => {
    const parent = syntax.parentOf(node);
    const isMember = parent?.type === "MemberExpression" && parent.object === node;
    return isMember && syntax.parentOf(parent)?.type !== "AssignmentExpression";
  });
  return isUnchanged ? (member.value ?? undefined) : undefined;
};

const replaced = new WeakMap<Syntax, ReadonlySet<string>>();

/** Names of members that the program assigns to, on any object. */
const listReplaced = (syntax: Syntax): ReadonlySet<string> => {
  const known = replaced.get(syntax);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const node of syntax.nodes())
    if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression")
      found.add(readKey(node.left) ?? "");
  replaced.set(syntax, found);
  return found;
};
