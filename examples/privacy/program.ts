// Writes a list of customers and their email addresses to a file. The model gets two numbers.
import { writeFile } from "servers/filesystem";
import { listOrders } from "servers/orders";

const { orders } = await listOrders({ limit: 1000 });
const refunded = orders.filter(({ status }) => status === "refunded");
const lines = refunded.map(({ customer, email }) => `${customer} <${email}>`);
await writeFile({ path: "letters.txt", content: lines.join("\n") });
return { orders: orders.length, letters: lines.length };
