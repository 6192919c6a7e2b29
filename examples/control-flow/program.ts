// The folder has one request per file. The program decides on each, and returns only the number of each decision.
import { readTextFile, searchFiles, writeFile } from "servers/filesystem";
import { createEntities } from "servers/memory";
import { addNote, getOrder } from "servers/orders";

const { content } = await searchFiles({ path: ".", pattern: "request-*.txt" });
const counts = { refunded: 0, refused: 0, unknown: 0 };
const doubtful: string[] = [];

for (const path of content.split("\n").sort()) {
  const request = await readTextFile({ path });
  const orderId = Number(request.content.match(/order (\d+)/)?.[1]);

  try {
    const order = await getOrder({ id: orderId });
    if (order.status === "paid" && order.total < 500) {
      await addNote({ orderId, text: `Refund ${order.total} to ${order.email}` });
      counts.refunded += 1;
    } else {
      counts.refused += 1;
      doubtful.push(`order ${orderId} is ${order.status}, total ${order.total}`);
    }
  } catch (error) {
    // A tool that fails throws: here, because there is no such order.
    counts.unknown += 1;
    doubtful.push(`${path.split("/").at(-1)}: ${error instanceof Error ? error.message : error}`);
  }
}

await Promise.all([
  writeFile({ path: "doubtful.txt", content: doubtful.join("\n") }),
  createEntities({ entities: [{ name: "refunds", entityType: "report", observations: [JSON.stringify(counts)] }] }),
]);
return counts;
