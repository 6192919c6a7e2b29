// Detects whether an expression is certain to be an async function of the program.
import type { MemberExpression, Node } from "oxc-parser";
import { findFunction } from "../rules/read-literal.js";
import type { AdapterContext } from "./dialect.js";
import { isFunction, readKey } from "./read-node.js";
import type { Syntax } from "./read-syntax.js";

/** A function, its name, or a method of an object literal or of an instance of the program's own class. */
export const isAsync = ({ syntax, tree }: AdapterContext, given: Node): boolean => {
  if (isFunction(given)) return tree.functionOf(given)?.isAsync === true;
  const method = given.type === "MemberExpression" ? findMethod(syntax, given) : undefined;
  const found = method === undefined ? findFunction(tree, given) : tree.functionOf(method);
  return found?.isAsync === true && found.isPlain;
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
