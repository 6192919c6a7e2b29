// `mcp_tools/_call.py`: the one place where generated functions reach the host, and what their answers are typed as.

/** A program without `async` gets values; one with it gets awaitables that also behave as their values. */
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
    """Awaited it is the value; used without \`await\` it waits and behaves as the value, of which nothing is checked."""

    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...  # type: ignore[empty-body]
    def __len__(self) -> int: ...  # type: ignore[empty-body]
    def __contains__(self, item: object) -> bool: ...  # type: ignore[empty-body]
`;

const call = `

def call(server: str, tool: str, values: Sequence[Any], fields: Mapping[str, Any]) -> Any:
    """Calls a tool by its name on the wire."""
    call_tool = getattr(sys.modules.get("__main__"), "call_tool", None)
    if call_tool is None:
        raise RuntimeError(
            f'Cannot call "{server}.{tool}": this program does not run inside mcp-coordinator. '
            'Run it with "mcp-coordinator run --language python"'
        )
    return call_tool(server, tool, *values, **fields)
`;

/** The module's text, the same for every server. */
export const renderCallModule = ({ style }: { readonly style: AnswerStyle }): string =>
  `${head}${style === "value" ? asValue : asAwaitable}${call}`;
