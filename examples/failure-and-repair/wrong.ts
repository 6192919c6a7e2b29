// Written from memory: the second call has an unknown argument.
import { addNote, listOrders } from "servers/orders";

const { orders: found } = await listOrders({ limit: 5 });
for (const { id } of found) await addNote({ order: id, text: "Please check the address" });
return found.length;
