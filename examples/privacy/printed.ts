// Prints an email address. The model reads a token.
import { listOrders } from "servers/orders";

const { orders } = await listOrders({ limit: 1 });
const [{ id, customer, email }] = orders;
console.log(`order ${id} of ${customer} <${email}>`);
return { customer, email };
