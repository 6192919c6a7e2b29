// Detects whether a Python program expects an expression to fail.
import type { PythonContext } from "./dialect.js";
import type { Expression, Handler, PythonNode, Try } from "./syntax/node.js";

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
