// Converts the parser's expressions to the checker's own tree.
import type { DictionaryEntry, Expression } from "./node.js";
import { readArguments, readComprehension, readParameters } from "./read-definition.js";
import {
  isComma,
  listChildren,
  placeOf,
  readGroup,
  readItem,
  readItems,
  type Source,
  splitNodes,
  type TreeNode,
  toName,
  toOther,
  withoutBrackets,
} from "./syntax-tree.js";

const readMember = (source: Source, node: TreeNode): Expression => {
  const [object, mark, ...rest] = listChildren(node);
  if (object === undefined) return toOther(node, []);
  const property = rest[0];
  if (mark?.name === ".") {
    // The parser reads `1.` and `2.e5` as members of a number.
    if (object.name === "Number")
      return { kind: "number", value: Number(source.text.slice(node.from, node.to)), ...placeOf(node) };
    if (property === undefined) return toOther(node, [source.read(object)]);
    return {
      kind: "attribute",
      object: source.read(object),
      name: toName(source, property).name,
      nameStart: property.from,
      ...placeOf(node),
    };
  }
  const inner = rest.slice(0, -1);
  const [first] = inner;
  const isSlice = inner.some(({ name }) => name === ":");
  const index =
    isSlice && first !== undefined
      ? toOther(first, inner.filter(({ name }) => name !== ":" && name !== ",").map(source.read))
      : readGroup(source, inner);
  if (index === undefined) return toOther(node, [source.read(object)]);
  return { kind: "subscript", object: source.read(object), index, ...placeOf(node) };
};

const readEntries = (source: Source, inner: readonly TreeNode[]): readonly DictionaryEntry[] =>
  splitNodes(inner, isComma).flatMap((group): readonly DictionaryEntry[] => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    const place = { start: first.from, end: last.to };
    const value = source.read(last);
    const key = first.name === "**" ? undefined : source.read(first);
    return [{ kind: "entry", key, value, ...place }];
  });

const readReplacements = (source: Source, node: TreeNode): readonly Expression[] =>
  listChildren(node).flatMap((child) => {
    if (child.name === "FormatReplacement" || child.name === "FormatSpec")
      return readReplacements(source, child);
    if (/^Format|^Escape$|^[{}:,]$/.test(child.name)) return [];
    return [source.read(child)];
  });

/** Adjacent literals form one string. */
const readTexts = (source: Source, node: TreeNode, pieces: readonly TreeNode[]): Expression => {
  if (pieces.some(({ name }) => name === "FormatString"))
    return {
      kind: "format",
      parts: pieces.flatMap((piece) =>
        piece.name === "FormatString" ? readReplacements(source, piece) : [],
      ),
      ...placeOf(node),
    };
  const values = pieces.map((piece) => readString(source.text.slice(piece.from, piece.to)));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return toOther(node, []);
  return { kind: "text", value: known.join(""), ...placeOf(node) };
};

const readNumber = (text: string): number | undefined => {
  const plain = text.replaceAll("_", "");
  return /j$/i.test(plain) ? undefined : Number(plain);
};

const readLambda = (source: Source, node: TreeNode): Expression => {
  const children = listChildren(node);
  const list = children.find(({ name }) => name === "ParamList");
  const body = children.at(-1);
  if (body === undefined) return toOther(node, []);
  return {
    kind: "lambda",
    parameters: list === undefined ? [] : readParameters(source, list),
    body: source.read(body),
    ...placeOf(node),
  };
};

const words = /^(?:and|or|not|in|is|await|yield|from|lambda|if|else)$|Op$/;

const readOperation = (source: Source, node: TreeNode): Expression => {
  const children = listChildren(node);
  const operator = children
    .filter(({ name }) => words.test(name))
    .map(({ from, to }) => source.text.slice(from, to))
    .join(" ");
  const operands = children.filter(({ name }) => !words.test(name)).map((one) => source.read(one));
  return { kind: "operation", operator, operands, ...placeOf(node) };
};

const readers: Readonly<Record<string, (source: Source, node: TreeNode) => Expression>> = {
  VariableName: toName,
  MemberExpression: readMember,
  CallExpression: (source, node) => {
    const [callee, list] = listChildren(node);
    if (callee === undefined || list === undefined) return toOther(node, []);
    const given = readArguments(source, list);
    return { kind: "call", callee: source.read(callee), ...given, ...placeOf(node) };
  },
  AwaitExpression: (source, node) => {
    const value = listChildren(node).at(-1);
    return value === undefined
      ? toOther(node, [])
      : { kind: "await", value: source.read(value), ...placeOf(node) };
  },
  String: (source, node) => readTexts(source, node, [node]),
  FormatString: (source, node) => readTexts(source, node, [node]),
  ContinuedString: (source, node) => readTexts(source, node, listChildren(node)),
  Number: (source, node) => ({
    kind: "number",
    value: readNumber(source.text.slice(node.from, node.to)),
    ...placeOf(node),
  }),
  Boolean: (source, node) => ({
    kind: "constant",
    value: source.text.slice(node.from, node.to) === "True",
    ...placeOf(node),
  }),
  None: (_source, node) => ({ kind: "constant", value: null, ...placeOf(node) }),
  ParenthesizedExpression: (source, node) =>
    readGroup(source, withoutBrackets(listChildren(node))) ?? toOther(node, []),
  TupleExpression: (source, node) => ({
    kind: "tuple",
    items: readItems(source, withoutBrackets(listChildren(node))),
    ...placeOf(node),
  }),
  ArrayExpression: (source, node) => ({
    kind: "list",
    items: readItems(source, withoutBrackets(listChildren(node))),
    ...placeOf(node),
  }),
  SetExpression: (source, node) => ({
    kind: "set",
    items: readItems(source, withoutBrackets(listChildren(node))),
    ...placeOf(node),
  }),
  DictionaryExpression: (source, node) => ({
    kind: "dictionary",
    entries: readEntries(source, withoutBrackets(listChildren(node))),
    ...placeOf(node),
  }),
  ArrayComprehensionExpression: (source, node) =>
    readComprehension(source, node, withoutBrackets(listChildren(node)), "list"),
  SetComprehensionExpression: (source, node) =>
    readComprehension(source, node, withoutBrackets(listChildren(node)), "set"),
  DictionaryComprehensionExpression: (source, node) =>
    readComprehension(source, node, withoutBrackets(listChildren(node)), "dictionary"),
  ComprehensionExpression: (source, node) =>
    readComprehension(source, node, withoutBrackets(listChildren(node)), "generator"),
  NamedExpression: (source, node) => readItem(source, listChildren(node)) ?? toOther(node, []),
  LambdaExpression: readLambda,
  UnaryExpression: readOperation,
  BinaryExpression: readOperation,
  ConditionalExpression: (source, node) => {
    const [body, , test, , otherwise] = listChildren(node);
    if (body === undefined || test === undefined || otherwise === undefined) return toOther(node, []);
    return {
      kind: "choice",
      test: source.read(test),
      body: source.read(body),
      otherwise: source.read(otherwise),
      ...placeOf(node),
    };
  },
};

/** Node kinds without a reader of their own are represented by their parts. */
const readOther = (source: Source, node: TreeNode): Expression => {
  const parts = listChildren(node).filter(({ name, type }) => !words.test(name) && !type.isError);
  return toOther(node, readItems(source, parts));
};

export const createSource = (text: string): Source => {
  const source: Source = {
    text,
    read: (node) => {
      const read = Object.hasOwn(readers, node.name) ? readers[node.name] : undefined;
      return (read ?? readOther)(source, node);
    },
  };
  return source;
};

const literal = /^([A-Za-z]*)('''|"""|'|")([\s\S]*)\2$/;

const plainEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escapeSequence =
  /\\(?:(\n|[\\'"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(N\{))/g;

/** Undefined for bytes and for escapes that cannot be decoded here. */
const readString = (text: string): string | undefined => {
  const [, prefix = "", , body] = literal.exec(text) ?? [];
  if (body === undefined || /[bt]/i.test(prefix)) return undefined;
  if (/r/i.test(prefix)) return body;
  let isKnown = true;
  const value = body.replace(
    escapeSequence,
    (whole, plain?: string, octal?: string, short?: string, middle?: string, long?: string) => {
      if (plain !== undefined) return plainEscapes[plain] ?? whole;
      const code = octal === undefined ? (short ?? middle ?? long) : Number.parseInt(octal, 8).toString(16);
      const point = Number.parseInt(code ?? "", 16);
      // Character names would need a table of their own.
      if (Number.isNaN(point) || point > 0x10ffff) isKnown = false;
      return isKnown ? String.fromCodePoint(point) : "";
    },
  );
  return isKnown ? value : undefined;
};
