# Prints what Python's own parser finds in the named files: how often each name, call, text and import occurs, as JSON.
import ast
import collections
import json
import sys


class Count(ast.NodeVisitor):
    def __init__(self):
        self.found = collections.Counter()

    def add(self, *words):
        self.found["\n".join(map(str, words))] += 1

    def generic_visit(self, node):
        if isinstance(node, ast.Name):
            self.add("name", node.id)
        elif isinstance(node, ast.Attribute):
            self.add("attribute", node.attr)
        elif isinstance(node, ast.Call):
            self.add("call", len(node.args), *sorted(keyword.arg or "**" for keyword in node.keywords))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.add("text", node.value)
        elif isinstance(node, ast.alias):
            self.add("import", node.name, node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.comprehension):
            self.add("clause", len(node.ifs))
        elif isinstance(node, ast.Dict):
            self.add("dictionary", len(node.keys))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.add("function", node.name)
        elif isinstance(node, ast.ExceptHandler):
            self.add("handler", node.name or "")
        elif isinstance(node, (ast.Subscript, ast.Await, ast.Return)):
            self.add(type(node).__name__.lower())
        super().generic_visit(node)

    def visit_JoinedStr(self, node):
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.visit(value)


def count(path):
    with open(path, encoding="utf-8") as file:
        counter = Count()
        counter.visit(ast.parse(file.read()))
        return counter.found


print(json.dumps({path: count(path) for path in sys.argv[1:]}))
