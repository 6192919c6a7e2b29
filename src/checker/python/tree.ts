// Lowers a Python program to what the rules see of it.
import type { Form, FunctionFacts, NameBinding, Node, Origin, Tree } from "../rules/tree.js";
import { maxSites, type PythonSyntax, type Site } from "./collect-names.js";
import { findSite } from "./find-site.js";
import {
  type Call,
  childrenOf,
  type Expression,
  type FunctionDefinition,
  type PythonNode,
} from "./syntax/node.js";

/** Every node of the tree comes from this parser. */
const own = (node: Node): PythonNode => node as PythonNode;

/** Total number of steps for resolving names. A crafted program could need an unreasonable number. */
const maxLookups = 2_000_000;

/** Built-in functions whose result always has the same type. */
const typedResults: ReadonlyMap<string, "string" | "number" | "array"> = new Map([
  ...["str", "repr"].map((name) => [name, "string"] as const),
  ...["len", "int", "float"].map((name) => [name, "number"] as const),
  ...["list", "sorted"].map((name) => [name, "array"] as const),
]);

const textMethods = new Set(["join", "format", "strip", "upper", "lower", "replace", "title"]);

export interface PythonTree extends Tree {
  /** Whether a name is a built-in function that nothing can have replaced. */
  readonly isBuiltIn: (node: PythonNode, name?: string) => boolean;
}

export const createTree = (syntax: PythonSyntax, isSession: boolean): PythonTree => {
  const { parentOf } = syntax;
  const budget = { left: maxLookups };
  const names = new Map<PythonNode, NameBinding>();
  const functions = new Map<PythonNode, FunctionFacts>();

  const isUnbound = (node: PythonNode): boolean => syntax.referenceOf(node)?.binding === undefined;

  const isBuiltIn = (node: PythonNode, name?: string): boolean =>
    node.kind === "name" && (name === undefined || node.name === name) && !isSession && isUnbound(node);

  const toOrigin = ({ kind, value, path = [], statement, imported, holder }: Site): Origin | undefined => {
    if (kind === "assign") return value === undefined ? undefined : { kind: "value", value, path };
    if (kind === "item") return value === undefined ? undefined : { kind: "item", list: value, path };
    if (kind === "function") return { kind: "function", node: holder };
    if (holder.kind === "parameter") {
      const definition = parentOf(holder);
      // Stars shift values to other parameters.
      if (definition?.kind !== "function" || readHead(syntax, definition).includes("*")) return undefined;
      const index = definition.parameters.indexOf(holder);
      const { name, fallback } = holder;
      return { kind: "parameter", function: definition, index, name: name.name, fallback };
    }
    if (statement === undefined || imported === undefined) return undefined;
    if (statement.module !== undefined)
      return { kind: "import", module: statement.module, name: imported.name };
    // `import a.b` binds `a`, and `import a.b as c` the inner module.
    const isAlias = imported.bound.start !== imported.start;
    const module = isAlias ? imported.name : (imported.name.split(".")[0] ?? "");
    return { kind: "import", module, name: undefined };
  };

  const lookUp = (node: PythonNode): NameBinding | undefined => {
    const known = names.get(node);
    const reference = syntax.referenceOf(node);
    const binding = reference?.binding;
    if (known !== undefined || reference === undefined || binding === undefined) return known;
    const site = findSite(syntax, reference, { isSession, budget });
    const made: NameBinding = {
      origin: site === undefined ? undefined : toOrigin(site),
      origins: () => (binding.sites.length > maxSites ? "many" : binding.sites.map(toOrigin)),
      uses: binding.references.map((one) => one.node),
      isBoundOnce: binding.sites.length === 1,
    };
    names.set(node, made);
    return made;
  };

  const functionOf = (node: PythonNode): FunctionFacts | undefined => {
    const known = functions.get(node);
    if (known !== undefined || node.kind !== "function") return known;
    const returns = node.blocks.flatMap(listReturns);
    const binding = syntax.bindingOf(node);
    const uses = binding?.references.map((one) => one.node) ?? [];
    const isDecorated = node.decorators.length > 0;
    // A later program of the session may call it, and an earlier one may have stored it.
    const isReachable =
      isSession || isDecorated || binding?.sites.length !== 1 || binding.scope.kind === "class";
    const [only] = uses;
    const call = only === undefined ? undefined : parentOf(only);
    const isCalled = call?.kind === "call" && call.callee === only;
    const facts: FunctionFacts = {
      isAsync: readHead(syntax, node).startsWith("async"),
      isPlain: !isDecorated && !/\byield\b/.test(syntax.text.slice(node.start, node.end)),
      returns: returns.map((one) => (one.kind === "return" ? one.value : undefined)),
      mayFallThrough: node.blocks.at(-1)?.statements.at(-1)?.kind !== "return",
      uses: isReachable ? undefined : uses,
      onlyCall: uses.length === 1 && isCalled && !isDecorated ? call : undefined,
    };
    functions.set(node, facts);
    return facts;
  };

  const isPrinted = (node: PythonNode): boolean => {
    const parent = parentOf(node);
    if (parent?.kind !== "call" || parent.callee.kind !== "name") return false;
    return parent.callee.name === "print" && isUnbound(parent.callee);
  };

  return {
    text: syntax.text,
    references: syntax.references.map(({ node }) => ({ node, name: node.name })),
    declared: new Set(syntax.bindings.map(({ name }) => name)),
    nodes: () => syntax.nodes,
    parentOf: (node) => parentOf(own(node)),
    outermost: (node) => node,
    read: (node) => readForm(own(node)),
    readBuiltInCall: (node) => {
      const call = own(node);
      return call.kind === "call" ? readBuiltInCall(call, isBuiltIn) : undefined;
    },
    isBuiltIn,
    lookUp: (node) => lookUp(own(node)),
    functionOf: (node) => functionOf(own(node)),
    toNothing: (node) => ({ kind: "primitive", value: null, node }),
    repeats: (node, part) => repeats(own(node), part),
    readAlias: (node) => {
      const parent = parentOf(own(node));
      const isAlias =
        parent?.kind === "assign" &&
        parent.value === node &&
        parent.targets.every(({ kind }) => kind === "name");
      return isAlias ? { isOpen: false } : undefined;
    },
    isCallee: (node) => {
      const parent = parentOf(own(node));
      return parent?.kind === "call" && parent.callee === node;
    },
    isShown: (node) => parentOf(own(node))?.kind === "format" || isPrinted(own(node)),
    isResult: (node) => {
      const parent = parentOf(own(node));
      if (parent?.kind === "expression") return syntax.statements.at(-1) === parent;
      return parent?.kind === "return" && syntax.statements.includes(parent);
    },
    isTested: () => false,
  };
};

/** The header of a definition, up to its body. */
const readHead = ({ text }: PythonSyntax, { start, name, blocks }: FunctionDefinition): string =>
  text.slice(start, blocks[0]?.start ?? name.end);

/** The function's own `return` statements, without those of nested functions. */
const listReturns = (node: PythonNode): readonly PythonNode[] =>
  childrenOf(node).flatMap((child) => {
    if (child.kind === "return") return [child];
    return child.kind === "function" || child.kind === "class" || child.kind === "lambda"
      ? []
      : listReturns(child);
  });

/** The body of a loop, of a function without a name or of a class. Only the first source of a comprehension is evaluated once. */
const repeats = (node: PythonNode, part: Node): boolean => {
  switch (node.kind) {
    case "while":
    case "lambda":
    case "class":
      return true;
    case "for":
    case "clause":
      return node.iterated !== part;
    case "comprehension":
      return node.clauses[0] !== part;
    default:
      return false;
  }
};

const isText = ({ kind }: Expression): boolean => kind === "text" || kind === "format";

const readForm = (node: PythonNode): Form => {
  switch (node.kind) {
    case "name":
      return { kind: "name", name: node.name };
    case "attribute": {
      const { object, name, nameStart } = node;
      return { kind: "member", object, key: name, keyStart: nameStart, isIndex: false };
    }
    case "subscript": {
      const { object, index, start } = node;
      const key = index.kind === "text" ? index.value : undefined;
      return { kind: "member", object, key, keyStart: start, isIndex: true };
    }
    case "call": {
      const { callee, values, named } = node;
      return { kind: "call", callee, values, named, isOptional: false };
    }
    case "text":
    case "constant":
      return { kind: "literal", value: node.value };
    case "number":
      return node.value === undefined || !Number.isFinite(node.value)
        ? { kind: "other" }
        : { kind: "literal", value: node.value };
    case "format":
      return { kind: "typed", type: "string" };
    case "operation":
      return readOperation(node);
    case "list":
    case "tuple":
      return node.items.some(({ kind }) => kind === "starred")
        ? { kind: "typed", type: "array" }
        : { kind: "list", items: node.items };
    case "dictionary":
      return {
        kind: "object",
        entries: node.entries.map(({ key, value }) => ({
          key: key?.kind === "text" ? key.value : undefined,
          isSpread: key === undefined,
          place: key ?? value,
          value,
        })),
      };
    case "comprehension":
      if (node.form === "list") return { kind: "typed", type: "array" };
      // Its keys are not known.
      return node.form === "dictionary"
        ? { kind: "object", entries: [{ key: undefined, isSpread: false, place: node, value: node }] }
        : { kind: "other" };
    case "choice":
      return { kind: "choice", options: [node.body, node.otherwise] };
    case "await":
      return { kind: "await", value: node.value };
    case "starred":
      return { kind: "spread", value: node.value };
    case "named":
      return node.name === undefined ? { kind: "spread", value: node.value } : { kind: "other" };
    case "entry":
      return node.key === undefined ? { kind: "spread", value: node.value } : { kind: "other" };
    default:
      return { kind: "other" };
  }
};

const readOperation = ({ operator, operands }: Extract<Expression, { kind: "operation" }>): Form => {
  const [first, second] = operands;
  if (first === undefined) return { kind: "other" };
  if (second === undefined) {
    if (operator === "not") return { kind: "typed", type: "boolean" };
    return operator === "-" ? { kind: "negative", value: first } : { kind: "other" };
  }
  // A string plus anything is a string.
  const isJoined = operator === "+" && (isText(first) || isText(second));
  return isJoined || (operator === "%" && isText(first))
    ? { kind: "typed", type: "string" }
    : { kind: "other" };
};

const readBuiltInCall = (
  { callee, values, named }: Call,
  isBuiltIn: (node: PythonNode) => boolean,
): Form | undefined => {
  if (callee.kind === "attribute")
    return isText(callee.object) && textMethods.has(callee.name)
      ? { kind: "typed", type: "string" }
      : undefined;
  if (callee.kind !== "name" || !isBuiltIn(callee)) return undefined;
  if (callee.name === "dict" && values.length === 0)
    return {
      kind: "object",
      entries: named.map(({ name, value, start, end }) => ({
        key: name,
        isSpread: name === undefined,
        place: { start, end },
        value,
      })),
    };
  const type = typedResults.get(callee.name);
  return type === undefined ? undefined : { kind: "typed", type };
};
