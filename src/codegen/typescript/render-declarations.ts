// TypeScript declarations of one tool or a whole server: types with comments, and functions.
import { finishNow, type ServerCatalog, type Steps, type Tool } from "../../contracts/index.js";
import { readToolTypes, type ToolTypes } from "../type-tree/read-type-tree.js";
import {
  claimToolNames,
  type Documentation,
  type Fallback,
  openTypeNames,
  type ToolTypeNames,
  type TypeNames,
  type TypeTree,
  toPointerName,
  toTypeBase,
} from "../type-tree/type-node.js";
import { printType, quoteText, renderComment, renderName, type TypeNaming } from "./print-type.js";
import { listExportNames, listNamespaces } from "./write-modules.js";

interface DeclarationOptions {
  readonly tool: Tool;
  /** The server's identifier in programs. */
  readonly identifier: string;
  /** Types that are printed once for several tools. */
  readonly shared?: SharedTypes | undefined;
}

const maxComment = 4000;
const maxTypeComment = 600;

/** Global types that modules use. */
export const usedTypeNames: readonly string[] = ["Promise"];

const renderType = (name: string, text: string, documentation?: Documentation): string => {
  const comment =
    documentation === undefined
      ? ""
      : renderComment({ documentation, indent: "", maxLength: maxTypeComment });
  return `${comment}export type ${name} = ${text};\n`;
};

const renderTree = (
  tree: TypeTree,
  rootName: string,
  base: string,
  claim: TypeNames["claim"],
  { note, shared }: { readonly note?: string | undefined; readonly shared?: TypeNaming | undefined } = {},
): string => {
  const names = new Map([["#", rootName]]);
  for (const pointer of tree.definitions.keys())
    names.set(pointer, claim(`${base}${toPointerName(pointer)}`));
  const options = { names, indent: "", shared };
  const definitions = [...tree.definitions].map(([pointer, { type, documentation }]) =>
    renderType(names.get(pointer) ?? "", printType(type, options), documentation),
  );
  const documentation = { notes: note === undefined ? [] : [note] };
  return [...definitions, renderType(rootName, printType(tree.root, options), documentation)].join("\n");
};

interface ToolParts {
  readonly types: string;
  readonly comment: string;
  /** `function createIssue(args: CreateIssueArguments): Promise<CreateIssueResult>`. */
  readonly head: string;
  /** The name of the result type, or `unknown`. */
  readonly result: string;
}

/** The parts of a tool's source: its types under free names, and its function's head. */
export const renderToolParts = (
  tool: Tool,
  types: ToolTypes,
  own: ToolTypeNames,
  names: TypeNames,
  shared?: TypeNaming,
): ToolParts => {
  const base = toTypeBase(tool);
  const trees = [renderTree(types.arguments, own.arguments, base, names.claim, { shared })];
  if (types.result !== undefined) {
    const about = { note: types.learnedNote, shared };
    trees.push(renderTree(types.result, own.result, `${base}Result`, names.claim, about));
  }
  const documentation = { description: tool.description, notes: [] };
  const result = types.result === undefined ? "unknown" : own.result;
  const mark = types.canOmitArguments ? "?" : "";
  return {
    types: trees.join("\n"),
    comment: renderComment({ documentation, indent: "", maxLength: maxComment }),
    head: `function ${tool.functionName}(args${mark}: ${own.arguments}): Promise<${result}>`,
    result,
  };
};

/** A tool in a module of declarations. */
const renderTool = (
  tool: Tool,
  types: ToolTypes,
  own: ToolTypeNames,
  names: TypeNames,
  shared?: TypeNaming,
): string => {
  const parts = renderToolParts(tool, types, own, names, shared);
  return `${parts.types}\n${parts.comment}export declare ${parts.head};\n`;
};

/** One tool for people and models to read. */
export const renderDeclaration = ({ tool, identifier, shared }: DeclarationOptions): string => {
  const names = openTypeNames(usedTypeNames);
  const own = claimToolNames(toTypeBase(tool), names);
  const module = quoteText(`servers/${identifier}`).slice(1, -1);
  return `// ${module}\n\n${renderTool(tool, readToolTypes(tool), own, names, shared?.name)}`;
};

export interface SharedTypes {
  readonly name: TypeNaming;
  /** The declarations of the types that were named so far. */
  readonly render: () => string;
}

/** A shorter type is as easy to read as its name. */
const minShared = 120;

/** Types that several of these tools have, to be printed once. */
export const openSharedTypes = (tools: readonly Tool[]): SharedTypes => {
  const owners = new Map<string, Set<Tool>>();
  for (const tool of new Set(tools)) {
    const count = (text: string): undefined => {
      if (text.length >= minShared) owners.set(text, (owners.get(text) ?? new Set()).add(tool));
    };
    renderDeclaration({ tool, identifier: "", shared: { name: count, render: () => "" } });
  }
  const named = new Map<string, string>();
  return {
    name: (text) => {
      if ((owners.get(text)?.size ?? 0) < 2) return undefined;
      const name = named.get(text) ?? `Shared${named.size + 1}`;
      named.set(text, name);
      return name;
    },
    render: () => [...named].map(([text, name]) => `export type ${name} = ${text};\n`).join("\n"),
  };
};

export interface ServerDeclarations {
  readonly source: string;
  /** Every place whose type is not known. */
  readonly fallbacks: readonly (Fallback & { readonly tool: string })[];
}

const renderSpellings = (tool: Tool): string =>
  listExportNames(tool)
    .filter((name) => name !== tool.functionName)
    .map((name) => `export { ${tool.functionName} as ${renderName(name)} };\n`)
    .join("");

const toNamespaces = (tools: readonly Tool[]) =>
  listNamespaces(new Map(tools.map((tool) => [tool, tool.functionName])));

const renderNamespaces = (tools: readonly Tool[]): string =>
  toNamespaces(tools)
    .map(({ name, members }) => {
      const lines = members.map(
        (member) => `  readonly ${renderName(member.name)}: typeof ${member.functionName};\n`,
      );
      return `export declare const ${name}: {\n${lines.join("")}};\n`;
    })
    .join("\n");

/** The server as one object: the module's default export, and the global in programs. */
const renderServerObject = (tools: readonly Tool[]): string => {
  const namespaces = toNamespaces(tools).map((one) => `  readonly ${one.name}: typeof ${one.name};\n`);
  const name = openTypeNames(tools.map(({ functionName }) => functionName)).claim("server");
  const members = tools.flatMap((tool) =>
    listExportNames(tool).map(
      (spelling) => `  readonly ${renderName(spelling)}: typeof ${tool.functionName};\n`,
    ),
  );
  return `declare const ${name}: {\n${[...members, ...namespaces].join("")}};\nexport default ${name};\n`;
};

/** The declarations of a server's module, tool by tool. The same catalog gives the same text. */
export function* declareServer(catalog: ServerCatalog, title: string): Steps<ServerDeclarations> {
  const names = openTypeNames(usedTypeNames);
  const claimed = catalog.tools.map((tool) => ({ tool, own: claimToolNames(toTypeBase(tool), names) }));
  const sections: string[] = [];
  const fallbacks: ServerDeclarations["fallbacks"][number][] = [];
  for (const { tool, own } of claimed) {
    const types = readToolTypes(tool);
    sections.push(`${renderTool(tool, types, own, names)}${renderSpellings(tool)}`);
    for (const fallback of [...types.arguments.fallbacks, ...(types.result?.fallbacks ?? [])])
      fallbacks.push({ tool: tool.name, ...fallback });
    yield;
  }
  const namespaces = renderNamespaces(catalog.tools);
  const objects = namespaces === "" ? [] : [namespaces];
  return {
    source: [title, ...sections, ...objects, renderServerObject(catalog.tools)].join("\n"),
    fallbacks,
  };
}

/** The declarations that programs are checked against. */
export const renderServerDeclarations = ({
  catalog,
}: {
  readonly catalog: ServerCatalog;
}): ServerDeclarations =>
  finishNow(
    declareServer(catalog, `// Types of the server ${quoteText(catalog.server)}, generated: do not edit.\n`),
  );
