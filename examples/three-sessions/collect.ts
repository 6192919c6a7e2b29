// First process: reads the orders. `found` stays as a variable of the session.
import { listOrders } from "servers/orders";

const { orders: found } = await listOrders({ limit: 1000 });
return { orders: found.length };
