# Types and functions of the server "degraded", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, NoReturn, Sequence, TypedDict, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class FineArguments(TypedDict):
    a: NotRequired[str]


@overload
def fine(*, a: str = ...) -> Answer[Any]: ...
@overload
def fine(arguments: FineArguments, /) -> Answer[Any]: ...
def fine(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "fine", values, fields)


NotASchemaArguments = Mapping[str, object]


@overload
def not_a_schema(**others: object) -> Answer[Any]: ...
@overload
def not_a_schema(arguments: NotASchemaArguments, /) -> Answer[Any]: ...
def not_a_schema(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "not_a_schema", values, fields)


AListArguments = Mapping[str, object]


@overload
def a_list(**others: object) -> Answer[Any]: ...
@overload
def a_list(arguments: AListArguments, /) -> Answer[Any]: ...
def a_list(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "a_list", values, fields)


NotAnObjectArguments = Mapping[str, object]


@overload
def not_an_object(**others: object) -> Answer[Any]: ...
@overload
def not_an_object(arguments: NotAnObjectArguments, /) -> Answer[Any]: ...
def not_an_object(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "not_an_object", values, fields)


AlwaysArguments = Mapping[str, object]


AlwaysResult = Any


@overload
def always(**others: object) -> Answer[AlwaysResult]: ...
@overload
def always(arguments: AlwaysArguments, /) -> Answer[AlwaysResult]: ...
def always(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "always", values, fields)


NeverArguments = Mapping[str, object]


NeverResult = NoReturn


@overload
def never(**others: object) -> Answer[NeverResult]: ...
@overload
def never(arguments: NeverArguments, /) -> Answer[NeverResult]: ...
def never(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "never", values, fields)


IsItselfArguments = Mapping[str, object]


@overload
def is_itself(**others: object) -> Answer[Any]: ...
@overload
def is_itself(arguments: IsItselfArguments, /) -> Answer[Any]: ...
def is_itself(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "is_itself", values, fields)


LoopsA = object


LoopsB = object


class LoopsArguments(TypedDict):
    a: NotRequired[LoopsA]


@overload
def loops(*, a: LoopsA = ...) -> Answer[Any]: ...
@overload
def loops(arguments: LoopsArguments, /) -> Answer[Any]: ...
def loops(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "loops", values, fields)


class PartsArguments(TypedDict):
    #: Anything
    noType: NotRequired[object]
    anything: NotRequired[object]
    nothing: NotRequired[NoReturn]
    emptyEnum: NotRequired[NoReturn]
    strangeType: NotRequired[object]
    noItems: NotRequired[Sequence[object]]
    remote: NotRequired[object]
    nowhere: NotRequired[object]
    inherited: NotRequired[object]
    literalObject: NotRequired[object]
    badProperties: NotRequired[Mapping[str, object]]
    badUnion: NotRequired[object]
    number: NotRequired[object]
    null: NotRequired[object]
    undeclared: object


@overload
def parts(
    *,
    undeclared: object,
    noType: object = ...,
    anything: object = ...,
    nothing: NoReturn = ...,
    emptyEnum: NoReturn = ...,
    strangeType: object = ...,
    noItems: Sequence[object] = ...,
    remote: object = ...,
    nowhere: object = ...,
    inherited: object = ...,
    literalObject: object = ...,
    badProperties: Mapping[str, object] = ...,
    badUnion: object = ...,
    number: object = ...,
    null: object = ...,
) -> Answer[Any]: ...
@overload
def parts(arguments: PartsArguments, /) -> Answer[Any]: ...
def parts(*values: Any, **fields: Any) -> Any:
    return _call("degraded", "parts", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "fine",
        "not_a_schema",
        "a_list",
        "not_an_object",
        "always",
        "never",
        "is_itself",
        "loops",
        "parts",
    ]


notASchema = not_a_schema
aList = a_list
notAnObject = not_an_object
isItself = is_itself
