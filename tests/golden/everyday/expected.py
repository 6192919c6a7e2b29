# Types and functions of the server "everyday", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Mapping, NoReturn, Sequence, TypedDict, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class CreateIssueArgumentsAssignee(TypedDict):
    login: str
    #: Default: true.
    notify: NotRequired[bool]


class CreateIssueArguments(TypedDict):
    #: Owner of the repository
    owner: str
    repo: str
    title: str
    #: Items: at most 10.
    labels: NotRequired[Sequence[str]]
    #: How urgent it is
    #: Default: "low".
    priority: NotRequired[Literal["low", "high"]]
    #: Format: date-time.
    due: NotRequired[str]
    #: Range: 1 to 5.
    weight: NotRequired[int]
    #: Who does it
    assignee: NotRequired[CreateIssueArgumentsAssignee]


class CreateIssueResult(TypedDict):
    number: int
    #: Where it can be read
    #: Format: uri.
    url: NotRequired[str]
    #: Default: "open".
    state: Literal["open", "closed"]


@overload
def create_issue(
    *,
    owner: str,
    repo: str,
    title: str,
    labels: Sequence[str] = ...,
    priority: Literal["low", "high"] = ...,
    due: str = ...,
    weight: int = ...,
    assignee: CreateIssueArgumentsAssignee = ...,
) -> Answer[CreateIssueResult]: ...
@overload
def create_issue(arguments: CreateIssueArguments, /) -> Answer[CreateIssueResult]: ...
def create_issue(*values: Any, **fields: Any) -> Any:
    """
    Create an issue in a repository.

    Labels that do not exist are created.
    """
    return _call("everyday", "create_issue", values, fields)


PingArguments = Mapping[str, NoReturn]


@overload
def ping() -> Answer[Any]: ...
@overload
def ping(arguments: PingArguments, /) -> Answer[Any]: ...
def ping(*values: Any, **fields: Any) -> Any:
    return _call("everyday", "ping", values, fields)


CallAnythingArguments = Mapping[str, object]


@overload
def call_anything(**others: object) -> Answer[Any]: ...
@overload
def call_anything(arguments: CallAnythingArguments, /) -> Answer[Any]: ...
def call_anything(*values: Any, **fields: Any) -> Any:
    return _call("everyday", "call_anything", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "create_issue",
        "ping",
        "call_anything",
    ]


createIssue = create_issue
callAnything = call_anything
