// orders: an MCP server for orders in an SQLite file: list_orders (in pages), get_order, add_note.
import { DatabaseSync } from "node:sqlite";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const [file = "orders.sqlite"] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec(`CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer TEXT, email TEXT, city TEXT, status TEXT, total REAL, day TEXT);
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, orderId INTEGER, text TEXT)`);

const order = z.object({
  id: z.number(),
  customer: z.string(),
  email: z.string(),
  city: z.string(),
  status: z.enum(["paid", "pending", "refunded"]),
  total: z.number(),
  day: z.string().describe("YYYY-MM-DD"),
});
const answer = (value) => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});
const page = database.prepare("SELECT * FROM orders WHERE id > ? ORDER BY id LIMIT ?");
const one = database.prepare("SELECT * FROM orders WHERE id = ?");
const note = database.prepare("INSERT INTO notes (orderId, text) VALUES (?, ?)");

const build = () => {
  const server = new McpServer({ name: "orders", version: "1.0.0" });
  server.registerTool(
    "list_orders",
    {
      description: "Lists orders by id, a page at a time. There is no filter.",
      inputSchema: z.object({
        cursor: z.number().optional().describe("nextCursor of the page before"),
        limit: z.number().int().min(1).max(1000).optional().describe("Default 100"),
      }),
      outputSchema: z.object({ orders: z.array(order), nextCursor: z.number().optional() }),
      annotations: { readOnlyHint: true },
    },
    ({ cursor = 0, limit = 100 }) => {
      const orders = page.all(cursor, limit).map((row) => ({ ...row }));
      return answer({ orders, ...(orders.length < limit ? {} : { nextCursor: orders.at(-1).id }) });
    },
  );
  server.registerTool(
    "get_order",
    {
      description: "Returns one order by its id. An unknown id is an error.",
      inputSchema: z.object({ id: z.number() }),
      outputSchema: order,
      annotations: { readOnlyHint: true },
    },
    ({ id }) => {
      const found = one.get(id);
      if (found === undefined) throw new Error(`There is no order ${id}`);
      return answer({ ...found });
    },
  );
  server.registerTool(
    "add_note",
    {
      description: "Adds a note to an order.",
      inputSchema: z.object({ orderId: z.number(), text: z.string() }),
      outputSchema: z.object({ noteId: z.number() }),
    },
    ({ orderId, text }) => answer({ noteId: Number(note.run(orderId, text).lastInsertRowid) }),
  );
  return server;
};

serveStdio(build, { legacy: "serve" });
