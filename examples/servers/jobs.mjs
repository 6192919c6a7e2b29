// jobs: an MCP server for slow work. start_job starts a job, get_job returns its state, which changes over time.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const jobs = new Map();
const answer = (value) => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

const look = ({ id, name, startedAt, durationMs }) => {
  const progress = Math.min(1, (Date.now() - startedAt) / durationMs);
  const status = progress === 1 ? "done" : progress < 0.2 ? "queued" : "running";
  const result = status === "done" ? { result: `${name}: ${name.length * 100} pages rendered` } : {};
  return { id, status, progress: Math.round(progress * 100), ...result };
};

const build = () => {
  const server = new McpServer({ name: "jobs", version: "1.0.0" });
  server.registerTool(
    "start_job",
    {
      description: "Starts a job and returns its id immediately.",
      inputSchema: z.object({ name: z.string(), durationMs: z.number().int().min(1).max(60_000) }),
      outputSchema: z.object({ id: z.string() }),
    },
    ({ name, durationMs }) => {
      const id = `job-${jobs.size + 1}`;
      jobs.set(id, { id, name, durationMs, startedAt: Date.now() });
      return answer({ id });
    },
  );
  server.registerTool(
    "get_job",
    {
      description: "Returns the state of a job, and its result when it is done.",
      inputSchema: z.object({ id: z.string() }),
      outputSchema: z.object({
        id: z.string(),
        status: z.enum(["queued", "running", "done"]),
        progress: z.number().describe("Percent"),
        result: z.string().optional(),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ id }) => {
      const job = jobs.get(id);
      if (job === undefined) throw new Error(`There is no job "${id}"`);
      return answer(look(job));
    },
  );
  return server;
};

serveStdio(build, { legacy: "serve" });
