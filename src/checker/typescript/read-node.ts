// Reads one node of the syntax tree: what it wraps, its name, its text, the names it binds.
import type { BindingPattern, ModuleExportName, Node } from "oxc-parser";

/** Removes wrappers without effect at run time. Keeps `as`, which overrides the check, but not `as const`. */
export const unwrap = (node: Node): Node => {
  switch (node.type) {
    case "TSAsExpression":
    case "TSTypeAssertion": {
      const { typeAnnotation: type, expression } = node;
      const name = type.type === "TSTypeReference" ? type.typeName : undefined;
      return name?.type === "Identifier" && name.name === "const" ? unwrap(expression) : node;
    }
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "ChainExpression":
    case "TSInstantiationExpression":
      return unwrap(node.expression);
    default:
      return node;
  }
};

/** Whether a node only wraps another one, including types and brackets. */
export const isWrapping = (node: Node): boolean =>
  node.type === "TSAsExpression" || node.type === "TSTypeAssertion" || unwrap(node) !== node;

/** The text of a string literal, or of a template without expressions. */
export const readText = (node: Node): string | undefined => {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
};

/** The name of a member or object key, if it is static. */
export const readKey = (node: {
  readonly key?: Node | undefined;
  readonly property?: Node | undefined;
  readonly computed: boolean;
}): string | undefined => {
  const key = node.key ?? node.property;
  if (key === undefined) return undefined;
  if (!node.computed && (key.type === "Identifier" || key.type === "PrivateIdentifier")) return key.name;
  if (key.type === "Literal" && typeof key.value === "number") return String(key.value);
  return readText(key);
};

/** The name in an import or export, which may be written as a string. */
export const readModuleName = (node: ModuleExportName): string =>
  node.type === "Literal" ? node.value : node.name;

export const isFunction = (node: Node): boolean =>
  node.type === "FunctionDeclaration" ||
  node.type === "FunctionExpression" ||
  node.type === "ArrowFunctionExpression";

export const isLoop = (node: Node): boolean => /^(For|While|DoWhile)/.test(node.type);

/** The names that a pattern binds: `{ a, b: [c] }` binds `a` and `c`. */
export const namesOf = (pattern: BindingPattern): readonly string[] => {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesOf(pattern.left);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) =>
        element === null ? [] : namesOf(element.type === "RestElement" ? element.argument : element),
      );
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesOf(property.type === "RestElement" ? property.argument : property.value),
      );
  }
};
