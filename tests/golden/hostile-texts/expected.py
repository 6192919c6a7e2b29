# Types and functions of the server "hostile-texts", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Mapping, NoReturn, TypedDict, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


#: */
ReadAlert1X1ExportTypeY = str


ReadAlert1Arguments = TypedDict(
    "ReadAlert1Arguments",
    {
        #: */ }; export const b = 1; /*
        #: Default: "*/\n@ts-ignore".
        "a": "NotRequired[str]",
        #: Format: */ x. Pattern: ^*/$.
        "b": "NotRequired[str]",
        "c*/": "NotRequired[Literal[\"*/\", \"\\\"; export const d = 1; \\\"\", \"`${1}`\", \"\\\\\", \"\\u2028\", \"\\u202e\", \"\\u200b\", \"a\\nb\", \"</script>\"]]",
        "d\u202e": "NotRequired[float]",
        #: long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long…
        "e": "NotRequired[str]",
        "f": "NotRequired[ReadAlert1X1ExportTypeY]",
    },
)


@overload
def read_alert1(
    *,
    a: str = ...,
    b: str = ...,
    e: str = ...,
    f: ReadAlert1X1ExportTypeY = ...,
) -> Answer[Any]: ...
@overload
def read_alert1(arguments: ReadAlert1Arguments, /) -> Answer[Any]: ...
def read_alert1(*values: Any, **fields: Any) -> Any:
    """
    Ends */ export const stolen = 1; /* starts
    @ts-nocheck
      @ts-expect-error
    @deprecated `${process.exit()}`
    export const broken = 1;
    */ joined reversed[31m red

    // @ts-ignore  tab 🎉
    Only in a dictionary of arguments: "c*/", "d\\u202e".
    """
    return _call("hostile-texts", "read*/ alert(1) /*", values, fields)


XArguments = Mapping[str, NoReturn]


class XResult(TypedDict):
    y: NotRequired[Literal["*/"]]


@overload
def x() -> Answer[XResult]: ...
@overload
def x(arguments: XArguments, /) -> Answer[XResult]: ...
def x(*values: Any, **fields: Any) -> Any:
    """*/"""
    return _call("hostile-texts", "x", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "read_alert1",
        "x",
    ]


readAlert1 = read_alert1
