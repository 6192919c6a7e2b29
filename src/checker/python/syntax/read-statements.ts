// Converts the parser's statements to the checker's own tree.
import type { Block, Expression, Handler, Name, Statement } from "./node.js";
import { readAnnotation, readClass, readDecorator, readFunction, readImport } from "./read-definition.js";
import { createSource } from "./read-expression.js";
import { listChildren, placeOf, readGroup, type Source, type TreeNode, toName } from "./syntax-tree.js";

type Read = (source: Source, node: TreeNode, decorators: readonly Expression[]) => readonly Statement[];

const readBlock = (source: Source, body: TreeNode): Block => ({
  kind: "block",
  statements: listChildren(body).flatMap((child) => readStatement(source, child)),
  ...placeOf(body),
});

const readBlocks = (source: Source, nodes: readonly TreeNode[]): readonly Block[] =>
  nodes.filter(({ name }) => name === "Body").map((body) => readBlock(source, body));

const indexOf = (nodes: readonly TreeNode[], name: string): number =>
  nodes.findIndex((node) => node.name === name);

const readAssign: Read = (source, node) => {
  const children = listChildren(node);
  const type = children.find(({ name }) => name === "TypeDef");
  const groups: TreeNode[][] = [[]];
  for (const child of children) {
    if (child.name === "AssignOp") groups.push([]);
    else if (child !== type) groups.at(-1)?.push(child);
  }
  const expressions = groups.flatMap((group) => readGroup(source, group) ?? []);
  const isValued = groups.length > 1;
  return [
    {
      kind: "assign",
      targets: isValued ? expressions.slice(0, -1) : expressions,
      value: isValued ? expressions.at(-1) : undefined,
      annotation: type === undefined ? undefined : readAnnotation(source, type),
      ...placeOf(node),
    },
  ];
};

const readTry: Read = (source, node) => {
  const children = listChildren(node);
  const bodies: { word: TreeNode; head: readonly TreeNode[]; body: TreeNode }[] = [];
  let head: TreeNode[] = [];
  for (const child of children) {
    if (child.name !== "Body") head.push(child);
    else {
      const [word = child] = head;
      bodies.push({ word, head: head.slice(1), body: child });
      head = [];
    }
  }
  const handlers = bodies
    .filter(({ word }) => word.name === "except")
    .map(({ word, head: written, body }): Handler => {
      const nodes = written.filter(({ name }) => name !== "*");
      const at = indexOf(nodes, "as");
      const bound = at < 0 ? undefined : nodes[at + 1];
      return {
        kind: "handler",
        type: readGroup(source, at < 0 ? nodes : nodes.slice(0, at)),
        name: bound === undefined ? undefined : toName(source, bound),
        block: readBlock(source, body),
        start: word.from,
        end: body.to,
      };
    });
  return [
    {
      kind: "try",
      blocks: bodies.filter(({ word }) => word.name !== "except").map(({ body }) => readBlock(source, body)),
      handlers,
      ...placeOf(node),
    },
  ];
};

const readFor: Read = (source, node) => {
  const children = listChildren(node);
  const [start, middle] = [indexOf(children, "for"), indexOf(children, "in")];
  const end = indexOf(children, "Body");
  const target = readGroup(source, children.slice(start + 1, middle));
  const iterated = readGroup(source, children.slice(middle + 1, end));
  if (target === undefined || iterated === undefined) return [];
  return [{ kind: "for", target, iterated, blocks: readBlocks(source, children), ...placeOf(node) }];
};

const readWith: Read = (source, node) => {
  const children = listChildren(node).filter(({ name }) => name !== "Body");
  const blocks = readBlocks(source, listChildren(node));
  const inner = children.slice(indexOf(children, "with") + 1).filter(({ name }) => name !== ",");
  const isTarget = (index: number): boolean => inner[index - 1]?.name === "as";
  const read = (wanted: boolean): readonly Expression[] =>
    inner.filter(({ name }, index) => name !== "as" && isTarget(index) === wanted).map(source.read);
  return [{ kind: "with", items: read(false), targets: read(true), blocks, ...placeOf(node) }];
};

const branchWords = new Set(["if", "elif", "else", "while", "match"]);

const readBranch: Read = (source, node) => {
  const children = listChildren(node);
  const tests = children.filter(({ name }) => !branchWords.has(name) && name !== "Body").map(source.read);
  const kind = node.name === "WhileStatement" ? "while" : "branch";
  return [{ kind, tests, captures: [], blocks: readBlocks(source, children), ...placeOf(node) }];
};

const readMatch: Read = (source, node) => {
  const children = listChildren(node);
  const [, ...rest] = children;
  const subject = readGroup(
    source,
    rest.filter(({ name }) => name !== "MatchBody"),
  );
  const clauses = (node.getChild("MatchBody")?.getChildren("MatchClause") ?? []).map((clause) => {
    const parts = listChildren(clause);
    const patterns = parts
      .filter(({ name }) => name.endsWith("Pattern"))
      .map((one) => readPattern(source, one));
    const guard = clause.getChild("Guard");
    const tests = guard === null ? [] : [source.read(listChildren(guard)[1] ?? guard)];
    return { patterns, tests, blocks: readBlocks(source, parts) };
  });
  return [
    {
      kind: "branch",
      tests: [
        ...(subject === undefined ? [] : [subject]),
        ...clauses.flatMap(({ patterns, tests }) => [...patterns.flatMap((one) => one.tests), ...tests]),
      ],
      captures: clauses.flatMap(({ patterns }) => patterns.flatMap(({ captures }) => captures)),
      blocks: clauses.flatMap(({ blocks }) => blocks),
      ...placeOf(node),
    },
  ];
};

const readWords: Read = (source, node) => {
  const parts = listChildren(node).filter(
    ({ name, type }) =>
      !/^(?:raise|from|assert|yield|print|pass|break|continue|,|;)$/.test(name) && !type.isError,
  );
  return [{ kind: "simple", parts: parts.map(source.read), binds: [], ...placeOf(node) }];
};

const readers: Readonly<Record<string, Read>> = {
  StatementGroup: (source, node) => listChildren(node).flatMap((child) => readStatement(source, child)),
  ExpressionStatement: (source, node) => {
    const value = readGroup(source, listChildren(node));
    return value === undefined ? [] : [{ kind: "expression", value, ...placeOf(node) }];
  },
  AssignStatement: readAssign,
  UpdateStatement: (source, node) => {
    const [target, , ...rest] = listChildren(node);
    const value = readGroup(source, rest);
    if (target === undefined || value === undefined) return [];
    return [{ kind: "update", target: source.read(target), value, ...placeOf(node) }];
  },
  ImportStatement: (source, node) => [readImport(source, node)],
  FunctionDefinition: (source, node, decorators) =>
    readFunction(source, node, { decorators, blocks: readBlocks(source, listChildren(node)) }),
  ClassDefinition: (source, node, decorators) =>
    readClass(source, node, { decorators, blocks: readBlocks(source, listChildren(node)) }),
  DecoratedStatement: (source, node) => {
    const children = listChildren(node);
    const decorators = children.filter(({ name }) => name === "Decorator");
    const defined = children.at(-1);
    return defined === undefined
      ? []
      : readStatement(
          source,
          defined,
          decorators.map((one) => readDecorator(source, one)),
        );
  },
  TryStatement: readTry,
  ForStatement: readFor,
  WithStatement: readWith,
  IfStatement: readBranch,
  WhileStatement: readBranch,
  MatchStatement: readMatch,
  DeleteStatement: (source, node) => {
    const targets = listChildren(node).filter(({ name }) => name !== "del" && name !== ",");
    return [{ kind: "delete", targets: targets.map(source.read), ...placeOf(node) }];
  },
  ScopeStatement: (source, node) => {
    const [word, ...rest] = listChildren(node).filter(({ name }) => name !== ",");
    const names = rest.map((one) => toName(source, one).name);
    return [{ kind: "scope", word: word?.name ?? "", names, ...placeOf(node) }];
  },
  ReturnStatement: (source, node) => [
    { kind: "return", value: readGroup(source, listChildren(node).slice(1)), ...placeOf(node) },
  ],
  TypeDefinition: (source, node) => {
    const name = node.getChild("VariableName");
    return [
      { kind: "simple", parts: [], binds: name === null ? [] : [toName(source, name)], ...placeOf(node) },
    ];
  },
  RaiseStatement: readWords,
  AssertStatement: readWords,
  YieldStatement: readWords,
  PrintStatement: readWords,
  PassStatement: readWords,
  BreakStatement: readWords,
  ContinueStatement: readWords,
};

const readStatement = (
  source: Source,
  node: TreeNode,
  decorators: readonly Expression[] = [],
): readonly Statement[] => {
  const read = Object.hasOwn(readers, node.name) ? readers[node.name] : undefined;
  return read === undefined ? [] : read(source, node, decorators);
};

/** The statements of a program. */
export const readStatements = (text: string, top: TreeNode): readonly Statement[] => {
  const source = createSource(text);
  return listChildren(top).flatMap((child) => readStatement(source, child));
};

/** Names that a pattern binds, and expressions that it looks up. */
const readPattern = (
  source: Source,
  node: TreeNode,
): { captures: readonly Name[]; tests: readonly Expression[] } => {
  const children = listChildren(node);
  if (node.name === "CapturePattern") {
    const [name] = children;
    return { captures: name === undefined ? [] : [toName(source, name)], tests: [] };
  }
  const inner = children
    .filter(({ name }) => name.endsWith("Pattern") || name === "PatternArgList")
    .map((child) => readPattern(source, child));
  const at = children.findIndex(({ name }) => name === "as");
  const bound = at < 0 ? undefined : children[at + 1];
  const looked = /^(?:Class|Attribute)Pattern$/.test(node.name) ? children[0] : undefined;
  return {
    captures: [
      ...inner.flatMap(({ captures }) => captures),
      ...(bound === undefined ? [] : [toName(source, bound)]),
    ],
    tests: [...inner.flatMap(({ tests }) => tests), ...(looked === undefined ? [] : [source.read(looked)])],
  };
};
