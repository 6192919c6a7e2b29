# Types and functions of the server "references", generated: do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, Sequence, TypedDict, Union, overload

from mcp_tools._call import Answer, call as _call

if TYPE_CHECKING:
    from typing_extensions import NotRequired


#: A node and what hangs below it
class SaveTreeNode(TypedDict):
    value: SaveTreeValue
    children: NotRequired[Sequence[SaveTreeNode]]
    byName: NotRequired[Mapping[str, SaveTreeNode]]


class SaveTreeABPerson(TypedDict):
    name: NotRequired[str]


SaveTreeFilter = TypedDict(
    "SaveTreeFilter",
    {
        "and": "NotRequired[Sequence[SaveTreeFilter]]",
    },
)


SaveTreeAnd = Union["SaveTreeFilter"]


SaveTreeValue = Union[str, "SaveTreeValues"]


SaveTreeValues = Sequence["SaveTreeValue"]


SaveTreeArgumentsFilter = TypedDict(
    "SaveTreeArgumentsFilter",
    {
        "and": "NotRequired[Sequence[SaveTreeFilter]]",
    },
)


class SaveTreeArguments(TypedDict):
    root: SaveTreeNode
    #: Used when the root is full
    spare: NotRequired[SaveTreeNode]
    owner: NotRequired[SaveTreeABPerson]
    filter: NotRequired[SaveTreeArgumentsFilter]
    again: NotRequired[SaveTreeAnd]
    self: NotRequired[SaveTreeArguments]


class SaveTreeResultNode(TypedDict):
    id: str


class SaveTreeResult(TypedDict):
    saved: NotRequired[SaveTreeResultNode]


@overload
def save_tree(
    *,
    root: SaveTreeNode,
    spare: SaveTreeNode = ...,
    owner: SaveTreeABPerson = ...,
    filter: SaveTreeArgumentsFilter = ...,
    again: SaveTreeAnd = ...,
    self: SaveTreeArguments = ...,
) -> Answer[SaveTreeResult]: ...
@overload
def save_tree(arguments: SaveTreeArguments, /) -> Answer[SaveTreeResult]: ...
def save_tree(*values: Any, **fields: Any) -> Any:
    return _call("references", "save_tree", values, fields)


class SaveTreesArguments2(TypedDict):
    count: NotRequired[float]


class SaveTreesArguments(TypedDict):
    count: NotRequired[float]


@overload
def save_trees(*, count: float = ...) -> Answer[Any]: ...
@overload
def save_trees(arguments: SaveTreesArguments, /) -> Answer[Any]: ...
def save_trees(*values: Any, **fields: Any) -> Any:
    return _call("references", "save_trees", values, fields)


def list_tools() -> List[str]:
    """The names of the server's functions."""
    return [
        "save_tree",
        "save_trees",
    ]


saveTree = save_tree
saveTrees = save_trees
