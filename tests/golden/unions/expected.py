# Types and functions of the server "unions", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Optional, Sequence, TypedDict, Union, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class CombineArgumentsOne(TypedDict):
    kind: Literal["card"]
    number: str


class CombineArgumentsOne2(TypedDict):
    kind: Literal["cash"]


class CombineArgumentsAll(TypedDict):
    a: str
    b: NotRequired[float]


class CombineArgumentsOverlapping(TypedDict):
    id: Union[str, float]


class CombineArgumentsBase(TypedDict):
    x: NotRequired[float]
    y: float


class CombineArgumentsBase2(TypedDict):
    x: NotRequired[float]
    z: float


class CombineArguments(TypedDict):
    any: NotRequired[Union[str, float, None]]
    one: NotRequired[Union[CombineArgumentsOne, CombineArgumentsOne2]]
    all: NotRequired[CombineArgumentsAll]
    overlapping: NotRequired[CombineArgumentsOverlapping]
    #: By a list of types
    types: NotRequired[Union[str, int, None]]
    nullable: NotRequired[Optional[str]]
    mixed: NotRequired[Union[float, Literal["a", 1, True], None]]
    constant: NotRequired[Literal[False]]
    list: NotRequired[Sequence[Union[str, Sequence[float]]]]
    bounded: NotRequired[str]
    base: NotRequired[Union[CombineArgumentsBase, CombineArgumentsBase2]]


@overload
def combine(
    *,
    any: Union[str, float, None] = ...,
    one: Union[CombineArgumentsOne, CombineArgumentsOne2] = ...,
    all: CombineArgumentsAll = ...,
    overlapping: CombineArgumentsOverlapping = ...,
    types: Union[str, int, None] = ...,
    nullable: Optional[str] = ...,
    mixed: Union[float, Literal["a", 1, True], None] = ...,
    constant: Literal[False] = ...,
    list: Sequence[Union[str, Sequence[float]]] = ...,
    bounded: str = ...,
    base: Union[CombineArgumentsBase, CombineArgumentsBase2] = ...,
) -> Answer[Any]: ...
@overload
def combine(arguments: CombineArguments, /) -> Answer[Any]: ...
def combine(*values: Any, **fields: Any) -> Any:
    return _call("unions", "combine", values, fields)


class ChooseArgumentsValue(TypedDict):
    id: str


class ChooseArgumentsValue2(TypedDict):
    all: NotRequired[Literal[True]]


ChooseArguments = Union["ChooseArgumentsValue", "ChooseArgumentsValue2"]


class ChooseResult(TypedDict):
    found: NotRequired[Optional[List[str]]]


@overload
def choose(*, id: str = ..., all: Literal[True] = ...) -> Answer[ChooseResult]: ...
@overload
def choose(arguments: ChooseArguments, /) -> Answer[ChooseResult]: ...
def choose(*values: Any, **fields: Any) -> Any:
    return _call("unions", "choose", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "combine",
        "choose",
    ]
