// Reads definitions, calls and imports: parameters, arguments, comprehensions, decorators, imported names.
import type {
  Block,
  Call,
  Comprehension,
  ComprehensionClause,
  Expression,
  Import,
  ImportedName,
  Name,
  NamedValue,
  Parameter,
  Statement,
} from "./node.js";
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

/** The parts of a definition outside its body. */
interface Parts {
  readonly decorators: readonly Expression[];
  readonly blocks: readonly Block[];
}

export const readFunction = (
  source: Source,
  node: TreeNode,
  { decorators, blocks }: Parts,
): readonly Statement[] => {
  const children = listChildren(node);
  const name = children.find((child) => child.name === "VariableName");
  if (name === undefined) return [];
  const lists = children.filter((child) => child.name === "ParamList");
  const typed = children.find((child) => child.name === "TypeParamList");
  const type = children.find((child) => child.name === "TypeDef");
  return [
    {
      kind: "function",
      name: toName(source, name),
      decorators,
      typeParameters: typed === undefined ? [] : readTypeParameters(source, typed),
      parameters: lists.flatMap((list) => readParameters(source, list)),
      annotation: type === undefined ? undefined : readAnnotation(source, type),
      blocks,
      ...placeOf(node),
    },
  ];
};

const readTypeParameters = (source: Source, list: TreeNode): readonly Name[] =>
  listChildren(list).flatMap((parameter) => {
    const name = parameter.getChild("VariableName");
    return name === null ? [] : [toName(source, name)];
  });

export const readClass = (
  source: Source,
  node: TreeNode,
  { decorators, blocks }: Parts,
): readonly Statement[] => {
  const children = listChildren(node);
  const name = children.find((child) => child.name === "VariableName");
  if (name === undefined) return [];
  const list = children.find((child) => child.name === "ArgList");
  const given = list === undefined ? { values: [], named: [] } : readArguments(source, list);
  const typed = children.find((child) => child.name === "TypeParamList");
  const binds = typed === undefined ? [] : readTypeParameters(source, typed);
  return [
    ...(binds.length > 0 ? [{ kind: "simple" as const, parts: [], binds, ...placeOf(node) }] : []),
    {
      kind: "class",
      name: toName(source, name),
      decorators,
      bases: [...given.values, ...given.named],
      blocks,
      ...placeOf(node),
    },
  ];
};

/** `@name.of.it(values)`. */
export const readDecorator = (source: Source, node: TreeNode): Expression => {
  const [first, ...rest] = listChildren(node).filter(({ name }) => name !== "At" && name !== ".");
  if (first === undefined) return { kind: "other", parts: [], ...placeOf(node) };
  return rest.reduce<Expression>((object, part) => {
    const place = { start: object.start, end: part.to };
    if (part.name === "ArgList")
      return { kind: "call", callee: object, ...readArguments(source, part), ...place };
    return { kind: "attribute", object, name: toName(source, part).name, nameStart: part.from, ...place };
  }, source.read(first));
};

/** `a.b.c`, `a.b as c`, `d`, separated by commas. */
const readImported = (
  source: Source,
  nodes: readonly TreeNode[],
  isFrom: boolean,
): readonly ImportedName[] => {
  const groups: TreeNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === ",") groups.push([]);
    else if (node.name !== "(" && node.name !== ")") groups.at(-1)?.push(node);
  }
  return groups.flatMap((group): readonly ImportedName[] => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    const at = group.findIndex(({ name: word }) => word === "as");
    const written = group.slice(0, at < 0 ? undefined : at);
    const name = written.map(({ from, to }) => source.text.slice(from, to)).join("");
    // `import a.b` binds `a`.
    const bound = at >= 0 || isFrom ? last : first;
    return [{ kind: "imported", name, bound: toName(source, bound), start: first.from, end: last.to }];
  });
};

export const readImport = (source: Source, node: TreeNode): Import => {
  const children = listChildren(node);
  const at = children.findIndex(({ name }) => name === "import");
  const from = children.slice(1, at);
  const isFrom = children[0]?.name === "from";
  return {
    kind: "import",
    module: isFrom ? from.map((one) => source.text.slice(one.from, one.to)).join("") : undefined,
    moduleStart: from[0]?.from ?? node.from,
    names: readImported(source, children.slice(at + 1), isFrom),
    ...placeOf(node),
  };
};

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

/** Parameters of a function or a lambda. */
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
        isRest: group[0]?.name === "*" || group[0]?.name === "**",
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
