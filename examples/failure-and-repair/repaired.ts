// The same program, corrected. Completed calls are not repeated.
import { addNote, listOrders } from "servers/orders";

const labels = new Map([["Oslo", "NO"], ["Porto", "PT"], ["Lyon", "FR"], ["Graz", "AT"], ["Turin", "IT"]]);
const { orders: found } = await listOrders({ limit: 5 });
for (const { id, city } of found) {
  await addNote({ orderId: id, text: `Ship to ${labels.get(city) ?? city}` });
}
return found.length;
