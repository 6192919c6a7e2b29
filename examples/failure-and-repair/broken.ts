// Passes the check and fails at the third order, because the map has no entry for its city.
import { addNote, listOrders } from "servers/orders";

const labels = new Map([["Oslo", "NO"], ["Porto", "PT"], ["Lyon", "FR"]]);
const { orders: found } = await listOrders({ limit: 5 });
for (const { id, city } of found) {
  const label = labels.get(city);
  if (label === undefined) throw new Error(`No label for ${city}`);
  await addNote({ orderId: id, text: `Ship to ${label}` });
}
return found.length;
