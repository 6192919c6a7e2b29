// Reads import statements: the module and the names they bind.
import type { Import, ImportedName } from "./node.js";
import { placeOf, type Source, toName } from "./read-list.js";
import { listChildren, type TreeNode } from "./syntax-tree.js";

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
