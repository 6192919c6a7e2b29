// Reads definitions of functions and classes, their decorators, and imports.
import type { Block, Expression, Import, ImportedName, Name, Parameter, Statement } from "./node.js";
import { readAnnotation, readArguments, readParameters } from "./read-call.js";
import { listChildren, placeOf, type Source, type TreeNode, toName } from "./syntax-tree.js";

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
  const named = typed === undefined ? [] : readTypeParameters(source, typed);
  return [
    {
      kind: "function",
      name: toName(source, name),
      decorators,
      parameters: [...named.map(toParameter), ...lists.flatMap((list) => readParameters(source, list))],
      annotation: type === undefined ? undefined : readAnnotation(source, type),
      blocks,
      ...placeOf(node),
    },
  ];
};

const toParameter = (name: Name): Parameter => ({
  kind: "parameter",
  name,
  fallback: undefined,
  annotation: undefined,
  start: name.start,
  end: name.end,
});

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
  const statement: Import = {
    kind: "import",
    module: isFrom ? from.map((one) => source.text.slice(one.from, one.to)).join("") : undefined,
    moduleStart: from[0]?.from ?? node.from,
    names: readImported(source, children.slice(at + 1), isFrom),
    ...placeOf(node),
  };
  return statement;
};
