// Reads only what is new since the last run. Stores its position in memory and its findings in a file.
import fs from "fs/promises";
import { listOrders } from "servers/orders";

const seen = (await memory.load("last-order")) ?? 0;
const { orders } = await listOrders({ cursor: seen, limit: 1000 });
const large = orders.filter(({ total }) => total > 900);

await fs.appendFile("./workspace/large.csv", large.map(({ id, total }) => `${id},${total}\n`).join(""));
await memory.save("last-order", orders.at(-1)?.id ?? seen);
await memory.update("runs", (runs) => (runs ?? 0) + 1);

const lines = (await fs.readFile("./workspace/large.csv", "utf8")).trim().split("\n");
return { run: await memory.load("runs"), fresh: orders.length, large: lines.length };
