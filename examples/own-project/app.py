# Your own program in Python, with the same servers.
from mcp_tools import ToolError
from mcp_tools.orders import list_orders

orders = list_orders(limit=5)["orders"]
names = ", ".join("{} {}".format(one["id"], one["city"]) for one in orders)
print(f"the first {len(orders)} orders: {names}")

try:
    list_orders(limit="five")
except ToolError as error:
    print(f"{error.code}: nothing was sent to the server")
