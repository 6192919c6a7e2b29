# Types and functions of the server "maps-and-tuples", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Mapping, NoReturn, Optional, Sequence, TypedDict, Union, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class FillArgumentsOpen(TypedDict):
    id: str


class FillArgumentsScores(TypedDict):
    name: NotRequired[str]


class FillArgumentsNestedScoresWho(TypedDict):
    name: NotRequired[str]


class FillArgumentsNestedScores(TypedDict):
    who: NotRequired[FillArgumentsNestedScoresWho]


FillArguments = TypedDict(
    "FillArguments",
    {
        "headers": "NotRequired[Mapping[str, str]]",
        "anything": "NotRequired[Mapping[str, object]]",
        "empty": "NotRequired[Mapping[str, NoReturn]]",
        "open": "NotRequired[Union[FillArgumentsOpen, Mapping[str, object]]]",
        "scores": "NotRequired[Union[FillArgumentsScores, Mapping[str, object]]]",
        "nestedScores": "NotRequired[Union[FillArgumentsNestedScores, Mapping[str, object]]]",
        "byPattern": "NotRequired[Mapping[str, Union[float, str]]]",
        "point": "NotRequired[Sequence[float]]",
        #: Items: 2.
        "oldPoint": "NotRequired[Sequence[float]]",
        #: Items: at least 1.
        "open tuple": "NotRequired[Sequence[Union[str, float, Literal[\"a\", \"b\"], None]]]",
        "grid": "NotRequired[Sequence[Sequence[Optional[float]]]]",
    },
)


@overload
def fill(
    *,
    headers: Mapping[str, str] = ...,
    anything: Mapping[str, object] = ...,
    empty: Mapping[str, NoReturn] = ...,
    open: Union[FillArgumentsOpen, Mapping[str, object]] = ...,
    scores: Union[FillArgumentsScores, Mapping[str, object]] = ...,
    nestedScores: Union[FillArgumentsNestedScores, Mapping[str, object]] = ...,
    byPattern: Mapping[str, Union[float, str]] = ...,
    point: Sequence[float] = ...,
    oldPoint: Sequence[float] = ...,
    grid: Sequence[Sequence[Optional[float]]] = ...,
) -> Answer[Any]: ...
@overload
def fill(arguments: FillArguments, /) -> Answer[Any]: ...
def fill(*values: Any, **fields: Any) -> Any:
    """Only in a dictionary of arguments: "open tuple"."""
    return _call("maps-and-tuples", "fill", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "fill",
    ]
