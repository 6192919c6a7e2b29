// The answer is stored on the host. The program has only a handle.
import { writeFile } from "servers/filesystem";
import { listOrders } from "servers/orders";

const all = await listOrders.keep({ limit: 1000 });
await writeFile({ path: "all.json", content: all });
return await query(all, { path: "orders", where: { status: "refunded" }, count: true });
