// Detects what a Python program expects: that an expression may fail, or that a field may exist.
import type { PythonContext } from "./dialect.js";
import type { Call, Expression, Handler, PythonNode, Try } from "./syntax/node.js";

const namesOf = (type: Expression | undefined): readonly string[] => {
  if (type === undefined) return ["BaseException"];
  if (type.kind === "tuple") return type.items.flatMap(namesOf);
  if (type.kind === "name") return [type.name];
  return type.kind === "attribute" ? [type.name] : ["BaseException"];
};

const broad = ["Exception", "BaseException"];

const catches = (handlers: readonly Handler[], names: readonly string[]): boolean =>
  handlers.some(({ type }) => namesOf(type).some((name) => names.includes(name)));

/** The `try` statements whose `try` block contains a node. */
function* listTries({ syntax }: Pick<PythonContext, "syntax">, start: PythonNode): Iterable<Try> {
  for (let node = start; ; ) {
    const parent = syntax.parentOf(node);
    if (parent === undefined) return;
    if (parent.kind === "try" && parent.blocks[0] === node) yield parent;
    node = parent;
  }
}

/** An import that may fail: in a `try` that handles it, or under `suppress`. */
export const isImportGuarded = (context: PythonContext, node: PythonNode): boolean => {
  for (const { handlers } of listTries(context, node))
    if (catches(handlers, [...broad, "ImportError", "ModuleNotFoundError"])) return true;
  for (let at = context.syntax.parentOf(node); at !== undefined; at = context.syntax.parentOf(at))
    if (at.kind === "with") return true;
  return false;
};

const maxTriedStatements = 2;

/** A guarded read. A `try` around a whole program with its calls does not count. */
export const isGuarded = (context: Pick<PythonContext, "syntax" | "uses">, node: PythonNode): boolean => {
  for (const { handlers, blocks } of listTries(context, node)) {
    if (catches(handlers, ["KeyError", "LookupError", "AttributeError", "TypeError", "IndexError"]))
      return true;
    const [tried] = blocks;
    const isSmall =
      tried !== undefined &&
      tried.statements.length <= maxTriedStatements &&
      !context.uses.calls.some(({ node: { start } }) => tried.start <= start && start < tried.end);
    if (isSmall && catches(handlers, broad)) return true;
  }
  return false;
};

export interface Writes {
  /** Keys that are written somewhere. */
  readonly written: ReadonlySet<string>;
  /** Keys that are tested, or read with a fallback. */
  readonly tested: ReadonlySet<string>;
  /** It writes unknown keys into a value that may be an answer. */
  readonly isWild: boolean;
  readonly isStored: (node: Expression) => boolean;
  /** Whether the program tests the kind of a value. */
  readonly isInspected: (node: Expression) => boolean;
}

const testingMethods = new Set(["get", "pop", "__contains__"]);
const typeTests = new Set(["isinstance", "type", "hasattr", "getattr", "callable"]);

const rootOf = (node: Expression): Expression => {
  if (node.kind === "subscript" || node.kind === "attribute") return rootOf(node.object);
  return node.kind === "await" ? rootOf(node.value) : node;
};

export const findWrites = ({ syntax, tree }: PythonContext): Writes => {
  const written = new Set<string>();
  const tested = new Set<string>();
  const inspected = new Set<string>();
  let isWild = false;

  const isStored = (node: Expression): boolean => {
    let at: PythonNode = node;
    let parent = syntax.parentOf(at);
    while (parent?.kind === "tuple" || parent?.kind === "list" || parent?.kind === "starred") {
      at = parent;
      parent = syntax.parentOf(at);
    }
    if (parent?.kind === "assign") return parent.targets.some((target) => target === at);
    if (parent?.kind === "update" || parent?.kind === "for" || parent?.kind === "clause")
      return parent.target === at;
    return parent?.kind === "delete" || (parent?.kind === "with" && parent.targets.some((one) => one === at));
  };

  /** A container that the program created. Its keys are not part of an answer. */
  const isOwn = (object: Expression): boolean => {
    const origin = tree.lookUp(rootOf(object))?.origin;
    const value =
      origin?.kind === "value" && origin.path.length === 0 ? (origin.value as Expression) : undefined;
    if (value?.kind === "call")
      return (
        value.callee.kind === "name" &&
        /^(?:dict|defaultdict|Counter|OrderedDict|list)$/.test(value.callee.name)
      );
    return value !== undefined && ["dictionary", "list", "comprehension"].includes(value.kind);
  };

  const addTexts = (value: Expression): boolean => {
    if (value.kind !== "dictionary") return false;
    for (const { key } of value.entries) {
      if (key?.kind !== "text") return false;
      written.add(key.value);
    }
    return true;
  };

  const addCall = ({ callee, values, named }: Call): void => {
    const [first] = values;
    if (callee.kind === "name" && typeTests.has(callee.name) && first !== undefined) {
      const root = rootOf(first);
      if (root.kind === "name") inspected.add(root.name);
      return;
    }
    if (callee.kind !== "attribute") return;
    if (testingMethods.has(callee.name) && first?.kind === "text") tested.add(first.value);
    if (callee.name === "setdefault") {
      if (first?.kind === "text") written.add(first.value);
      else isWild ||= !isOwn(callee.object);
    }
    if (callee.name !== "update") return;
    for (const { name } of named) {
      if (name === undefined) isWild ||= !isOwn(callee.object);
      else written.add(name);
    }
    for (const value of values) if (!addTexts(value)) isWild ||= !isOwn(callee.object);
  };

  for (const node of syntax.nodes) {
    if (node.kind === "subscript" && isStored(node)) {
      if (node.index.kind === "text") written.add(node.index.value);
      else if (node.index.kind !== "number") isWild ||= !isOwn(node.object);
    } else if (node.kind === "call") addCall(node);
    else if (node.kind === "operation" && /(?:^| )in$/.test(node.operator)) {
      const [first] = node.operands;
      if (first?.kind === "text") tested.add(first.value);
    } else if (node.kind === "operation" && node.operator === "|") node.operands.forEach(addTexts);
    else if (node.kind === "update" && !addTexts(node.value) && node.value.kind === "name")
      isWild ||= syntax.text.slice(node.start, node.end).includes("|=") && !isOwn(node.target);
  }
  return {
    written,
    tested,
    isWild,
    isStored,
    isInspected: (node) => {
      const root = rootOf(node);
      return root.kind === "name" && inspected.has(root.name);
    },
  };
};
