// Your own program, without an agent. It imports the servers like any other package.
import { ToolError } from "mcp-servers";
import { listOrders } from "mcp-servers/orders";

const { orders } = await listOrders({ limit: 5 });
console.log(`the first ${orders.length} orders: ${orders.map(({ id, city }) => `${id} ${city}`).join(", ")}`);

try {
  await listOrders({ limit: "five" });
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.log(`${error.code}: nothing was sent to the server`);
}
