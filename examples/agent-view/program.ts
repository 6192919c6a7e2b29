// Written by the agent of this example after one search.
import { listOrders } from "servers/orders";

const revenue: Record<string, number> = {};
for await (const { city, status, total } of paginate(listOrders, { limit: 200 }))
  if (status === "paid") revenue[city] = (revenue[city] ?? 0) + total;
const [best] = Object.entries(revenue).sort(([, a], [, b]) => b - a);
return { city: best?.[0], revenue: Math.round(best?.[1] ?? 0) };
