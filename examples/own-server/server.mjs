// Your own server: notes in an SQLite file, two tools, forty lines.
import { DatabaseSync } from "node:sqlite";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const database = new DatabaseSync(process.argv[2] ?? "notes.sqlite");
database.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, topic TEXT, text TEXT)");
const insert = database.prepare("INSERT INTO notes (topic, text) VALUES (?, ?)");
const select = database.prepare("SELECT id, text FROM notes WHERE topic = ? ORDER BY id");

const answer = (value) => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

const build = () => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool(
    "save_note",
    {
      description: "Saves a note under a topic.",
      inputSchema: z.object({ topic: z.string(), text: z.string() }),
      // With an output schema, programs know the fields of the answer before the first call.
      outputSchema: z.object({ id: z.number() }),
    },
    ({ topic, text }) => answer({ id: Number(insert.run(topic, text).lastInsertRowid) }),
  );
  server.registerTool(
    "find_notes",
    {
      description: "Finds the notes of a topic.",
      inputSchema: z.object({ topic: z.string() }),
      outputSchema: z.object({ notes: z.array(z.object({ id: z.number(), text: z.string() })) }),
      // A read-only tool is called again when a run is resumed, and is allowed in plans.
      annotations: { readOnlyHint: true },
    },
    ({ topic }) => answer({ notes: select.all(topic).map((row) => ({ ...row })) }),
  );
  return server;
};

serveStdio(build, { legacy: "serve" });
