# Types and functions of the server "names", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, NoReturn, TypedDict, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


GetSchemaArguments = Mapping[str, NoReturn]


@overload
def getSchema() -> Answer[Any]: ...
@overload
def getSchema(arguments: GetSchemaArguments, /) -> Answer[Any]: ...
def getSchema(*values: Any, **fields: Any) -> Any:
    return _call("names", "get-schema", values, fields)


GetSchema2Arguments = Mapping[str, NoReturn]


@overload
def get_schema2() -> Answer[Any]: ...
@overload
def get_schema2(arguments: GetSchema2Arguments, /) -> Answer[Any]: ...
def get_schema2(*values: Any, **fields: Any) -> Any:
    return _call("names", "get.schema", values, fields)


_1stArguments = Mapping[str, NoReturn]


@overload
def _1st() -> Answer[Any]: ...
@overload
def _1st(arguments: _1stArguments, /) -> Answer[Any]: ...
def _1st(*values: Any, **fields: Any) -> Any:
    return _call("names", "1st", values, fields)


Class_Arguments = Mapping[str, NoReturn]


@overload
def class_() -> Answer[Any]: ...
@overload
def class_(arguments: Class_Arguments, /) -> Answer[Any]: ...
def class_(*values: Any, **fields: Any) -> Any:
    return _call("names", "class", values, fields)


Default_Arguments = Mapping[str, NoReturn]


@overload
def default() -> Answer[Any]: ...
@overload
def default(arguments: Default_Arguments, /) -> Answer[Any]: ...
def default(*values: Any, **fields: Any) -> Any:
    return _call("names", "default", values, fields)


Then_Arguments = Mapping[str, NoReturn]


@overload
def then() -> Answer[Any]: ...
@overload
def then(arguments: Then_Arguments, /) -> Answer[Any]: ...
def then(*values: Any, **fields: Any) -> Any:
    return _call("names", "then", values, fields)


ServerArguments = Mapping[str, NoReturn]


@overload
def server() -> Answer[Any]: ...
@overload
def server(arguments: ServerArguments, /) -> Answer[Any]: ...
def server(*values: Any, **fields: Any) -> Any:
    return _call("names", "server", values, fields)


获取数据Arguments = Mapping[str, NoReturn]


@overload
def 获取数据() -> Answer[Any]: ...
@overload
def 获取数据(arguments: 获取数据Arguments, /) -> Answer[Any]: ...
def 获取数据(*values: Any, **fields: Any) -> Any:
    return _call("names", "获取数据", values, fields)


Tool2Arguments = Mapping[str, NoReturn]


@overload
def tool2() -> Answer[Any]: ...
@overload
def tool2(arguments: Tool2Arguments, /) -> Answer[Any]: ...
def tool2(*values: Any, **fields: Any) -> Any:
    return _call("names", "🎉", values, fields)


ToolArguments = Mapping[str, NoReturn]


@overload
def tool() -> Answer[Any]: ...
@overload
def tool(arguments: ToolArguments, /) -> Answer[Any]: ...
def tool(*values: Any, **fields: Any) -> Any:
    return _call("names", "", values, fields)


class PromisePromise(TypedDict):
    a: NotRequired[Promise12]


Promise12 = str


class PromiseArguments(TypedDict):
    a: NotRequired[Promise12]


@overload
def promise(*, a: Promise12 = ...) -> Answer[Any]: ...
@overload
def promise(arguments: PromiseArguments, /) -> Answer[Any]: ...
def promise(*values: Any, **fields: Any) -> Any:
    return _call("names", "promise", values, fields)


FieldsArguments = TypedDict(
    "FieldsArguments",
    {
        "1": "NotRequired[str]",
        "content-type": "NotRequired[str]",
        "a b": "NotRequired[str]",
        "class": "NotRequired[str]",
        "new": "str",
        "get": "str",
        "readonly": "NotRequired[str]",
        "constructor": "NotRequired[str]",
        "__proto__": "NotRequired[str]",
        "": "NotRequired[str]",
        "$and": "NotRequired[str]",
        "größe": "NotRequired[str]",
        "quote\"d": "NotRequired[str]",
        "line\nbreak": "NotRequired[str]",
    },
)


@overload
def fields(
    *,
    new: str,
    get: str,
    class_: str = ...,
    readonly: str = ...,
    constructor: str = ...,
) -> Answer[Any]: ...
@overload
def fields(arguments: FieldsArguments, /) -> Answer[Any]: ...
def fields(*values: Any, **fields: Any) -> Any:
    """Only in a dictionary of arguments: \"1\", \"content-type\", \"a b\", \"__proto__\", \"\", \"$and\", \"größe\", \"quote\\\"d\", \"line\\nbreak\"."""
    return _call("names", "fields", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "getSchema",
        "get_schema2",
        "_1st",
        "class_",
        "default",
        "then",
        "server",
        "获取数据",
        "tool2",
        "tool",
        "promise",
        "fields",
    ]


getSchema2 = get_schema2
default_ = default
then_ = then
