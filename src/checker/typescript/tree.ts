// Lowers a TypeScript program to what the rules see of it.
import type { ArrowFunctionExpression, Function as FunctionNode, Node } from "oxc-parser";
import type {
  Form,
  FunctionFacts,
  NameBinding,
  ObjectEntry,
  Origin,
  Node as Place,
  Tree,
} from "../rules/tree.js";
import { isFunction, isLoop, readKey, readModuleName, readText, unwrap } from "./read-node.js";
import type { Binding, Syntax } from "./read-syntax.js";

type AnyFunction = FunctionNode | ArrowFunctionExpression;

/** Every node of the tree comes from this parser. */
const own = (node: Place): Node => node as Node;

const asFunction = (node: Node | null | undefined): AnyFunction | undefined =>
  node != null && isFunction(node) ? (node as AnyFunction) : undefined;

export const createTree = (syntax: Syntax): Tree => {
  const { parentOf } = syntax;
  const bindings = new Map<Binding, NameBinding>();
  const functions = new Map<Node, FunctionFacts>();

  const outermost = (start: Node): Node => {
    let node = start;
    for (
      let parent = parentOf(node);
      parent !== undefined && unwrap(parent) !== parent;
      parent = parentOf(node)
    )
      node = parent;
    return node;
  };

  const toBinding = (binding: Binding): NameBinding => {
    const found = bindings.get(binding);
    if (found !== undefined) return found;
    const origin = readOrigin(syntax, binding);
    const made: NameBinding = {
      origin,
      origins: () => [origin],
      uses: binding.references.map(({ node }) => node),
      isBoundOnce: true,
    };
    bindings.set(binding, made);
    return made;
  };

  const toFacts = (found: AnyFunction): FunctionFacts => {
    const known = functions.get(found);
    if (known !== undefined) return known;
    const { body } = found;
    const isExpression = body !== null && body.type !== "BlockStatement";
    const facts: FunctionFacts = {
      isAsync: found.async,
      isPlain: !found.generator,
      returns: isExpression ? [body] : syntax.returnsOf(found),
      mayFallThrough: body?.type === "BlockStatement" && body.body.at(-1)?.type !== "ReturnStatement",
      uses: listUses(syntax, found),
      onlyCall: findOnlyCall(syntax, found),
    };
    functions.set(found, facts);
    return facts;
  };

  const isShown = (node: Node): boolean => {
    const parent = parentOf(outermost(node));
    if (parent?.type === "TemplateLiteral") return true;
    if (parent?.type !== "CallExpression" || parent.callee.type !== "MemberExpression") return false;
    const { object } = parent.callee;
    return (
      object.type === "Identifier" && object.name === "console" && syntax.bindingOf(object) === undefined
    );
  };

  return {
    text: syntax.text,
    references: syntax.references,
    declared: new Set(syntax.bindings.map(({ name }) => name)),
    *nodes() {
      for (const node of syntax.nodes()) if (unwrap(node) === node) yield node;
    },
    parentOf: (node) => parentOf(own(node)),
    outermost: (node) => outermost(own(node)),
    read: (node) => readForm(syntax, unwrap(own(node))),
    readBuiltInCall: () => undefined,
    lookUp: (node) => {
      const binding = syntax.bindingOf(unwrap(own(node)));
      return binding === undefined ? undefined : toBinding(binding);
    },
    functionOf: (node) => {
      const found = asFunction(own(node));
      return found === undefined ? undefined : toFacts(found);
    },
    toNothing: (node) => ({ kind: "absent", node }),
    repeats: (node) => isLoop(own(node)),
    readAlias: (node) => readAlias(syntax, own(node)),
    isCallee: (node) => {
      const parent = parentOf(own(node));
      return (
        (parent?.type === "CallExpression" || parent?.type === "NewExpression") && parent.callee === node
      );
    },
    isShown: (node) => isShown(own(node)),
    isResult: (node) => {
      const parent = parentOf(outermost(own(node)));
      return parent?.type === "ReturnStatement" && syntax.functionAround(parent) === undefined;
    },
    isTested: (node) => {
      const parent = parentOf(own(node));
      return parent?.type === "UnaryExpression" && parent.operator === "typeof";
    },
  };
};

const readForm = (syntax: Syntax, node: Node): Form => {
  const text = readText(node);
  if (text !== undefined) return { kind: "literal", value: text };
  switch (node.type) {
    case "Identifier":
      return node.name === "undefined" && syntax.bindingOf(node) === undefined
        ? { kind: "absent" }
        : { kind: "name", name: node.name };
    case "MemberExpression": {
      const { object, property } = node;
      return { kind: "member", object, key: readKey(node), keyStart: property.start, isIndex: false };
    }
    case "CallExpression":
      return {
        kind: "call",
        callee: node.callee,
        values: node.arguments,
        named: [],
        isOptional: node.optional,
      };
    case "Literal": {
      const { value } = node;
      const isPrimitive = value === null || typeof value === "number" || typeof value === "boolean";
      // The value of a regular expression or a large number can be null too.
      return isPrimitive && !("regex" in node) && !("bigint" in node)
        ? { kind: "literal", value }
        : { kind: "other" };
    }
    case "UnaryExpression":
      return node.operator === "-" ? { kind: "negative", value: node.argument } : { kind: "other" };
    case "ConditionalExpression":
      return { kind: "choice", options: [node.consequent, node.alternate] };
    case "ObjectExpression":
      return { kind: "object", entries: node.properties.map(readEntry) };
    case "ArrayExpression": {
      const items = node.elements.flatMap((item) =>
        item === null || item.type === "SpreadElement" ? [] : [item],
      );
      return items.length === node.elements.length ? { kind: "list", items } : { kind: "other" };
    }
    case "SpreadElement":
      return { kind: "spread", value: node.argument };
    case "AwaitExpression":
      return { kind: "await", value: node.argument };
    default:
      return { kind: "other" };
  }
};

const readEntry = (
  property: Extract<Node, { type: "ObjectExpression" }>["properties"][number],
): ObjectEntry => {
  if (property.type === "SpreadElement")
    return { key: undefined, isSpread: true, place: property, value: property.argument };
  const key = property.kind === "init" ? readKey(property) : undefined;
  return { key, isSpread: false, place: property.key, value: property.value };
};

const readOrigin = (syntax: Syntax, binding: Binding): Origin | undefined => {
  const { kind, declaration, node } = binding;
  if (kind === "import") return readImport(syntax, declaration);
  if (kind === "const" && declaration.type === "VariableDeclarator") {
    const holder = syntax.parentOf(declaration);
    const loop = holder === undefined ? undefined : syntax.parentOf(holder);
    if (loop?.type === "ForOfStatement" && loop.left === holder)
      return { kind: "item", list: loop.right, path: readPath(syntax, binding) };
    if (declaration.init === null) return undefined;
    return { kind: "value", value: declaration.init, path: readPath(syntax, binding) };
  }
  if (kind === "function" && declaration.type === "FunctionDeclaration")
    return isReplaced(syntax, binding) ? undefined : { kind: "function", node: declaration };
  if (kind !== "parameter") return undefined;
  const index = asFunction(declaration)?.params.findIndex((one) => (one as Node) === node) ?? -1;
  return index < 0 ? undefined : { kind: "parameter", function: declaration, index };
};

const readImport = ({ parentOf }: Syntax, declaration: Node): Origin | undefined => {
  const statement = parentOf(declaration);
  if (statement?.type !== "ImportDeclaration" || statement.importKind === "type") return undefined;
  const module = statement.source.value;
  if (declaration.type === "ImportNamespaceSpecifier") return { kind: "import", module, name: undefined };
  if (declaration.type === "ImportDefaultSpecifier") return { kind: "import", module, name: "default" };
  if (declaration.type !== "ImportSpecifier" || declaration.importKind === "type") return undefined;
  return { kind: "import", module, name: readModuleName(declaration.imported) };
};

/** The keys between a destructured name and its source value, with undefined for one that is not static. */
const readPath = (
  { parentOf }: Syntax,
  { node: bound, declaration }: Binding,
): readonly (string | undefined)[] => {
  const keys: (string | undefined)[] = [];
  for (let node = bound; ; ) {
    const holder = parentOf(node);
    if (holder === undefined || holder === declaration) return keys;
    if (holder.type === "Property") keys.unshift(readKey(holder));
    else if (holder.type !== "ObjectPattern") keys.unshift(undefined);
    node = holder;
  }
};

const isReplaced = (syntax: Syntax, binding: Binding): boolean =>
  binding.references.some(({ node }) => {
    const parent = syntax.parentOf(node);
    return parent?.type === "AssignmentExpression" && parent.left === node;
  }) ||
  syntax.bindings.some((one) => one !== binding && one.kind === "function" && one.name === binding.name);

/** The binding of a function: its own name, or the variable that holds it. */
const findBinding = (syntax: Syntax, found: Node): Binding | undefined =>
  syntax.bindings.find(
    ({ kind, declaration }) =>
      (kind === "function" && declaration === found) ||
      (declaration.type === "VariableDeclarator" && declaration.init === found),
  );

const listUses = (syntax: Syntax, found: Node): readonly Node[] | undefined => {
  const binding = findBinding(syntax, found);
  if (binding === undefined || isExported(syntax, binding)) return undefined;
  const origin = readOrigin(syntax, binding);
  const isIt =
    (origin?.kind === "function" && origin.node === found) ||
    (origin?.kind === "value" && origin.value === found && origin.path.length === 0);
  return isIt ? binding.references.map(({ node }) => node) : undefined;
};

const isExported = ({ parentOf }: Syntax, { declaration, references }: Binding): boolean => {
  const statement = declaration.type === "VariableDeclarator" ? parentOf(declaration) : declaration;
  const holder = statement === undefined ? undefined : parentOf(statement);
  return (
    holder?.type.startsWith("Export") === true ||
    references.some(({ node }) => parentOf(node)?.type.startsWith("Export") === true)
  );
};

const findOnlyCall = (syntax: Syntax, found: Node): Node | "program" | undefined => {
  const parent = syntax.parentOf(found);
  if (parent?.type === "ExportDefaultDeclaration") return "program";
  if (parent?.type === "CallExpression" && parent.callee === found) return parent;
  const [only, ...others] = findBinding(syntax, found)?.references ?? [];
  const call = only === undefined ? undefined : syntax.parentOf(only.node);
  const isCalled = call?.type === "CallExpression" && call.callee === only?.node;
  return others.length === 0 && isCalled ? call : undefined;
};

/** A constant that is not exported: importers may use an exported one in any way. */
const readAlias = ({ parentOf }: Syntax, node: Node): ReturnType<Tree["readAlias"]> => {
  const parent = parentOf(node);
  if (parent?.type !== "VariableDeclarator" || parent.init !== node) return undefined;
  const statement = parentOf(parent);
  if (statement?.type !== "VariableDeclaration" || statement.kind !== "const") return undefined;
  if (parentOf(statement)?.type === "ExportNamedDeclaration") return undefined;
  const { id } = parent;
  return { isOpen: id.type === "ObjectPattern" && id.properties.some(({ type }) => type === "RestElement") };
};
