# Revenue by city and month with SQL, the whole table as a report, three lines of it for the model.
import csv
import io

from mcp_tools.reports import write_file
from mcp_tools.warehouse import execute_sql

answer = execute_sql(sql="""
    SELECT city, substr(day, 1, 7) AS month, round(sum(total), 2) AS revenue
    FROM orders WHERE status = 'paid' GROUP BY city, month ORDER BY revenue DESC
""")
rows = answer["data"]["statements"][0]["rows"]

report = io.StringIO()
writer = csv.DictWriter(report, fieldnames=["city", "month", "revenue"])
writer.writeheader()
writer.writerows(rows)
write_file(path="revenue.csv", content=report.getvalue())

{"rows": len(rows), "best": rows[:3]}
