// The server cannot filter: all 10,000 orders are read, page by page, and five of them go to the model.
import { listOrders } from "servers/orders";

let read = 0;
let cursor: number | undefined;
const pending = [];
do {
  const page = await listOrders({ limit: 1000, cursor });
  read += page.orders.length;
  pending.push(...page.orders.filter(({ status, city }) => status === "pending" && city === "Oslo"));
  cursor = page.nextCursor;
} while (cursor !== undefined);

const largest = pending.sort((a, b) => b.total - a.total).slice(0, 5);
return { read, pending: pending.length, largest: largest.map(({ id, customer, total }) => ({ id, customer, total })) };
