# The first program in a new sandbox: finds the versions of Python and the data libraries, and has them compute something.
import importlib
import sys

# Module -> the name of its package.
_names = {"numpy": "numpy", "pandas": "pandas", "sklearn": "scikit-learn"}


def find_libraries() -> list[str]:
    found = ["Python " + ".".join(map(str, sys.version_info[:3]))]
    modules = {}
    for module, name in _names.items():
        try:
            modules[module] = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
        found.append(f"{name} {modules[module].__version__}")
    # Importing is not enough: a library can import and fail at its first computation.
    if len(modules) == len(_names):
        linear_model = importlib.import_module("sklearn.linear_model")
        table = modules["pandas"].DataFrame({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
        slope = linear_model.LinearRegression().fit(table[["x"]], table["y"]).coef_[0]
        assert round(float(slope), 6) == 2 and int(table.groupby("x")["y"].sum().sum()) == 20
    return found


find_libraries()
