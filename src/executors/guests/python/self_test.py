# The probes of the self-test in Python: a function for everything that a sandbox must run or stop.
# Each imports what it needs, because an import takes a part of its time limit.


def runs() -> int:
    return 6 * 7


def file(path: str) -> str:
    with open(path) as opened:
        return opened.read()


def environment(name: str) -> str:
    import os

    return os.environ.get(name, "")


def network(url: str) -> str:
    import urllib.request

    with urllib.request.urlopen(url, timeout=2) as answer:
        return str(answer.read(), "utf-8")


def spin() -> None:
    while True:
        pass
