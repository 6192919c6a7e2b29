# Types and functions of the server "crowded", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, NoReturn, TypedDict, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


GetUser3NameArguments = str


class GetUser3Arguments(TypedDict):
    a: NotRequired[GetUser3NameArguments]


@overload
def get_user(*, a: GetUser3NameArguments = ...) -> Answer[Any]: ...
@overload
def get_user(arguments: GetUser3Arguments, /) -> Answer[Any]: ...
def get_user(*values: Any, **fields: Any) -> Any:
    return _call("crowded", "get_user", values, fields)


class GetUserNameArguments(TypedDict):
    id: str


@overload
def get_user_name(*, id: str) -> Answer[Any]: ...
@overload
def get_user_name(arguments: GetUserNameArguments, /) -> Answer[Any]: ...
def get_user_name(*values: Any, **fields: Any) -> Any:
    return _call("crowded", "get_user_name", values, fields)


GetUserArguments = Mapping[str, NoReturn]


GetUserResultX = str


GetUserResultX2 = float


class GetUserResult(TypedDict):
    a: NotRequired[GetUserResultX]
    b: NotRequired[GetUserResultX2]


@overload
def getUser() -> Answer[GetUserResult]: ...
@overload
def getUser(arguments: GetUserArguments, /) -> Answer[GetUserResult]: ...
def getUser(*values: Any, **fields: Any) -> Any:
    return _call("crowded", "getUser", values, fields)


GetUser2Arguments = Mapping[str, NoReturn]


@overload
def get_user2() -> Answer[Any]: ...
@overload
def get_user2(arguments: GetUser2Arguments, /) -> Answer[Any]: ...
def get_user2(*values: Any, **fields: Any) -> Any:
    return _call("crowded", "get_user2", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "get_user",
        "get_user_name",
        "getUser",
        "get_user2",
    ]


getUser3 = get_user
getUserName = get_user_name
getUser2 = get_user2
