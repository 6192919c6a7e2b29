// Python modules: a whole server, one tool for reading, and `_call.py`, which reaches the host.
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { claimToolNames, type Fallback, openTypeNames } from "../type-tree/type-node.js";
import type { SharedTypes } from "../typescript/render-declarations.js";
import { listNamespaces } from "../typescript/write-modules.js";
import { ownName } from "./print-type.js";
import { assignFunctionNames, isClassField, isModuleName, quoteText } from "./python-names.js";
import { renderTool, toPythonTypeBase } from "./render-tool.js";

const typingWords =
  "TYPE_CHECKING Any Dict List Literal Mapping NoReturn Optional Sequence Tuple TypedDict Union cast overload".split(
    " ",
  );

// linear: a word of the list above between two boundaries
const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

/** Names that a module may import. */
export const importedNames: readonly string[] = [
  ...typingWords,
  "NotRequired",
  "Answer",
  "_call",
  "annotations",
];

interface ModuleOptions {
  /** The first line, without `#`. */
  readonly title: string;
  readonly body: string;
}

/** Only checkers import NotRequired: Python 3.9 lacks it, and annotations are never evaluated. */
export const renderModule = ({ title, body }: ModuleOptions): string => {
  const isPartial = hasWord(body, "NotRequired");
  const words = typingWords.filter((word) => hasWord(body, word) || (isPartial && word === "TYPE_CHECKING"));
  return [
    `# ${title}\n`,
    "from __future__ import annotations\n\n",
    words.length > 0 ? `from typing import ${words.join(", ")}\n\n` : "",
    "from mcp_tools._call import Answer, call as _call\n\n",
    isPartial ? "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n" : "",
    `\n${body}`,
  ].join("");
};

export interface PythonModule {
  readonly source: string;
  /** Every place whose type is not known. */
  readonly fallbacks: readonly (Fallback & { readonly tool: string })[];
}

/** Other names of the same functions: the server's, and TypeScript's. */
export const listSpellings = (
  functionNames: ReadonlyMap<Tool, string>,
): readonly (readonly [spelling: string, functionName: string])[] => {
  const taken = new Set([...importedNames, ...functionNames.values()]);
  return [...functionNames].flatMap(([tool, functionName]) =>
    [tool.name, tool.functionName].flatMap((spelling): readonly (readonly [string, string])[] => {
      if (!isModuleName(spelling) || taken.has(spelling)) return [];
      taken.add(spelling);
      return [[spelling, functionName]];
    }),
  );
};

/** `resources.read(…)` and `prompts.triage(…)`, as classes with the functions as they are. */
export const renderNamespaces = (functionNames: ReadonlyMap<Tool, string>): string => {
  const taken = new Set([...importedNames, ...functionNames.values()]);
  return listNamespaces(functionNames, (member) => isClassField(member))
    .filter(({ name }) => !taken.has(name))
    .map(({ name, members }) => {
      const lines = members.map((one) => `    ${one.name} = staticmethod(${one.functionName})\n`);
      return `class ${name}:\n${lines.join("")}`;
    })
    .join("\n\n");
};

/** A function that returns names. */
export const renderNameList = (functionName: string, docstring: string, names: Iterable<string>): string => {
  const lines = [...names].map((name) => `        ${quoteText(name)},\n`).join("");
  const list = lines === "" ? "[]" : `[\n${lines}    ]`;
  return `def ${functionName}() -> List[str]:\n    """${docstring}"""\n    return ${list}\n`;
};

/** The function `list_tools()` of a server. */
export const renderToolList = (functionNames: Iterable<string>): string =>
  renderNameList("list_tools", "The names of the server's functions.", functionNames);

/** The module that programs are checked against. The same catalog gives the same text. */
export const renderPythonModule = ({ catalog }: { readonly catalog: ServerCatalog }): PythonModule => {
  const functionNames = assignFunctionNames(catalog);
  const spellings = listSpellings(functionNames);
  const names = openTypeNames([
    ...importedNames,
    ...functionNames.values(),
    ...spellings.map(([spelling]) => spelling),
  ]);
  const claimed = [...functionNames].map(([tool, functionName]) => ({
    tool,
    functionName,
    own: claimToolNames(toPythonTypeBase(tool), names),
  }));
  const rendered = claimed.map((one) => ({ tool: one.tool, ...renderTool({ ...one, names }) }));
  const aliases = spellings.map(([spelling, functionName]) => `${spelling} = ${functionName}\n`).join("");
  const parts = [
    ...rendered.map(({ source }) => source),
    renderNamespaces(functionNames),
    renderToolList(functionNames.values()),
    aliases,
  ];
  return {
    source: renderModule({
      title: `Types and functions of the server ${quoteText(catalog.server)}, generated: do not edit.`,
      body: parts.filter((part) => part !== "").join("\n\n"),
    }),
    fallbacks: rendered.flatMap(({ tool, fallbacks }) =>
      fallbacks.map((fallback) => ({ tool: tool.name, ...fallback })),
    ),
  };
};

interface DeclarationOptions {
  readonly tool: Tool;
  readonly functionName: string;
  readonly shared?: SharedTypes | undefined;
}

/** One tool for people and models to read. */
export const renderPythonDeclaration = ({ tool, functionName, shared }: DeclarationOptions): string => {
  const names = openTypeNames([...importedNames, functionName]);
  const own = claimToolNames(toPythonTypeBase(tool), names);
  return renderTool({ tool, functionName, own, names, share: shared?.name }).stub;
};

interface FoundClass {
  readonly number: number;
  readonly owners: Set<Tool>;
}

/** Classes that several of these tools have, to be printed once. */
export const openSharedClasses = (tools: readonly Tool[]): SharedTypes => {
  // Equal classes contain equal classes, whose names must not differ: here they are numbers that no text has.
  const found = new Map<string, FoundClass>();
  for (const tool of new Set(tools)) {
    const name = (text: string): string => {
      const known = found.get(text) ?? { number: found.size, owners: new Set() };
      found.set(text, known);
      known.owners.add(tool);
      return `\u0001${known.number}\u0002`;
    };
    renderPythonDeclaration({ tool, functionName: tool.functionName, shared: { name, render: () => "" } });
  }
  const names = new Map<string, string>();
  const fill = (part: string): string => {
    const end = part.indexOf("\u0002");
    return `${names.get(part.slice(0, end)) ?? ""}${part.slice(end + 1)}`;
  };
  const byText = new Map<string, string>();
  for (const [text, { number, owners }] of found) {
    if (owners.size < 2) continue;
    const name = `Shared${names.size + 1}`;
    names.set(String(number), name);
    byText.set(text.split("\u0001").map(fill).join(""), name);
  }
  return {
    name: (text) => byText.get(text),
    render: () => [...byText].map(([text, name]) => text.replaceAll(ownName, name)).join("\n\n"),
  };
};

/** A program without `async` gets values. One with it gets awaitables that also behave like their values. */
export type AnswerStyle = "value" | "awaitable";

const head = `# How the functions of this package call their tools.
from __future__ import annotations

import sys
`;

const asValue = `from typing import Annotated, Any, Mapping, Sequence, TypeVar

T = TypeVar("T")

#: The value itself; in a program that uses \`await\`, something that can be awaited too.
Answer = Annotated[T, "can be awaited"]
`;

const asAwaitable = `from typing import Any, Coroutine, Iterator, Mapping, Sequence, TypeVar

T = TypeVar("T")


class Answer(Coroutine[Any, Any, T]):
    """Awaited, it is the value. Without \`await\`, it waits and behaves like the value, unchecked."""

    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...  # type: ignore[empty-body]
    def __len__(self) -> int: ...  # type: ignore[empty-body]
    def __contains__(self, item: object) -> bool: ...  # type: ignore[empty-body]
`;

const call = `

def call(server: str, tool: str, values: Sequence[Any], fields: Mapping[str, Any]) -> Any:
    """Calls a tool by the name that its server uses."""
    call_tool = getattr(sys.modules.get("__main__"), "call_tool", None)
    if call_tool is None:
        raise RuntimeError(
            f'Cannot call "{server}.{tool}": this program does not run inside mcp-coordinator. '
            'Run it with "mcp-coordinator run --language python"'
        )
    return call_tool(server, tool, *values, **fields)
`;

/** `mcp_tools/_call.py`: how generated functions reach the host, and the type of their answers. */
export const renderCallModule = ({ style }: { readonly style: AnswerStyle }): string =>
  `${head}${style === "value" ? asValue : asAwaitable}${call}`;
