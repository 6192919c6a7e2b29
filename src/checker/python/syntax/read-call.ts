// Reads the contents of calls, functions and comprehensions: arguments, parameters, clauses.
import type { Call, Comprehension, ComprehensionClause, Expression, NamedValue, Parameter } from "./node.js";
import {
  isComma,
  listChildren,
  placeOf,
  readGroup,
  readItem,
  type Source,
  splitNodes,
  type TreeNode,
  toName,
  withoutBrackets,
} from "./syntax-tree.js";

const isClauseStart = ({ name }: TreeNode): boolean => name === "for" || name === "async";

/** `element for target in source if condition …`, without brackets. */
export const readComprehension = (
  source: Source,
  node: TreeNode,
  inner: readonly TreeNode[],
  form: Comprehension["form"],
): Comprehension => {
  const begin = inner.findIndex(isClauseStart);
  const elements = splitNodes(inner.slice(0, begin), ({ name }) => name === ":").flatMap(
    (group) => readGroup(source, group) ?? [],
  );
  const rest = inner.slice(begin).filter(({ name }) => name !== "async");
  const clauses = splitNodes(rest, ({ name }) => name === "for")
    .slice(1)
    .flatMap((group): readonly ComprehensionClause[] => {
      const [head = [], ...conditions] = splitNodes(group, ({ name }) => name === "if");
      const at = head.findIndex(({ name }) => name === "in");
      const target = readGroup(source, head.slice(0, at));
      const iterated = readGroup(source, head.slice(at + 1));
      if (target === undefined || iterated === undefined) return [];
      const tests = conditions.flatMap((nodes) => readGroup(source, nodes) ?? []);
      const place = { start: target.start, end: (tests.at(-1) ?? iterated).end };
      return [{ kind: "clause", target, iterated, conditions: tests, ...place }];
    });
  return { kind: "comprehension", form, elements, clauses, ...placeOf(node) };
};

const isKeyword = (source: Source, [, second]: readonly TreeNode[]): boolean =>
  second?.name === "AssignOp" && source.text.slice(second.from, second.to) === "=";

/** The arguments of a call, or the bases of a class. */
export const readArguments = (source: Source, list: TreeNode): Pick<Call, "values" | "named"> => {
  const inner = withoutBrackets(listChildren(list));
  if (inner.some(isClauseStart))
    return { values: [readComprehension(source, list, inner, "generator")], named: [] };
  const values: Expression[] = [];
  const named: NamedValue[] = [];
  for (const group of splitNodes(inner, isComma)) {
    const [first, second, third] = group;
    if (first === undefined) continue;
    if (first.name === "**" && second !== undefined)
      named.push({
        kind: "named",
        name: undefined,
        value: source.read(second),
        start: first.from,
        end: second.to,
      });
    else if (isKeyword(source, group) && third !== undefined)
      named.push({
        kind: "named",
        name: toName(source, first).name,
        value: source.read(third),
        start: first.from,
        end: third.to,
      });
    else {
      const value = readItem(source, group);
      if (value !== undefined) values.push(value);
    }
  }
  return { values, named };
};

/** Parameters of a function or a lambda. A type parameter counts as another name. */
export const readParameters = (source: Source, list: TreeNode): readonly Parameter[] =>
  splitNodes(withoutBrackets(listChildren(list)), isComma).flatMap((group) => {
    const name = group.find((node) => node.name === "VariableName");
    const last = group.at(-1);
    if (name === undefined || last === undefined) return [];
    const assigned = group.findIndex((node) => node.name === "AssignOp");
    const fallback = assigned < 0 ? undefined : group[assigned + 1];
    const type = group.find((node) => node.name === "TypeDef");
    return [
      {
        kind: "parameter",
        name: toName(source, name),
        fallback: fallback === undefined ? undefined : source.read(fallback),
        annotation: type === undefined ? undefined : readAnnotation(source, type),
        start: name.from,
        end: last.to,
      },
    ];
  });

export const readAnnotation = (source: Source, type: TreeNode): Expression | undefined => {
  const [expression] = listChildren(type).filter(({ name }) => name !== ":");
  return expression === undefined ? undefined : source.read(expression);
};
