# The probes of the self-test in Python: a function for everything that a sandbox must run or stop.
import os
import urllib.request


def runs() -> int:
    return 6 * 7


def file(path: str) -> str:
    with open(path) as opened:
        return opened.read()


def environment(name: str) -> str:
    return os.environ.get(name, "")


def network(url: str) -> str:
    with urllib.request.urlopen(url, timeout=2) as answer:
        return str(answer.read(), "utf-8")


def spin() -> None:
    while True:
        pass
