// Passes the check and fails at the third order: one of its own lines is wrong.
import { addNote, listOrders } from "servers/orders";

const labels = new Map([["Oslo", "NO"], ["Porto", "PT"], ["Lyon", "FR"]]);
const { orders: found } = await listOrders({ limit: 5 });
for (const { id, city } of found) {
  const label = labels.get(city);
  if (label === undefined) throw new Error(`No label for ${city}`);
  await addNote({ orderId: id, text: `Ship to ${label}` });
}
return found.length;
