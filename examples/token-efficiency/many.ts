// Many rows, one number: a program saves the most here.
import { listOrders } from "servers/orders";

let revenue = 0;
for (let cursor: number | undefined = 0; cursor !== undefined; ) {
  const page = await listOrders({ cursor, limit: 200 });
  for (const { status, total } of page.orders) if (status === "paid") revenue += total;
  cursor = page.nextCursor;
}
return Math.round(revenue);
