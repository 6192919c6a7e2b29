// The baseline for calls: the SDK's own client in a separate process, restarted for every round like ours.
// Reads a line `sequence N` or `parallel N` and prints the milliseconds that it took.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [server] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "1" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }),
);

const programs = {
  sequence: async (count) => {
    for (let value = 0; value < count; value++) await client.callTool({ name: "echo", arguments: { value } });
  },
  parallel: (count) =>
    Promise.all(
      Array.from({ length: count }, (_, value) => client.callTool({ name: "slow", arguments: { value } })),
    ),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, count] = line.split(" ");
  const from = performance.now();
  await programs[name](Number(count));
  process.stdout.write(`${performance.now() - from}\n`);
}
await client.close();
