# The same 10,000 orders, analyzed with pandas: only the small table goes to the model.
import pandas as pd
from mcp_tools.orders import list_orders

pages = []
cursor = 0
while cursor is not None:
    page = list_orders(cursor=cursor, limit=1000)
    pages.append(pd.DataFrame(page["orders"]))
    cursor = page.get("nextCursor")

orders = pd.concat(pages)
orders["month"] = pd.to_datetime(orders["day"]).dt.month
paid = orders[orders["status"] == "paid"]
table = paid.pivot_table(index="city", columns="month", values="total", aggfunc="sum").round(2)
paid.to_csv("paid.csv", index=False)

print(f"{len(orders)} orders, {len(paid)} of them paid")
table[[1, 2, 3]].reset_index().rename(columns=str)
