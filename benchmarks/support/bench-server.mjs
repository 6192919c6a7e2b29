// The upstream of the benchmarks: a hand-written stdio server that costs almost nothing. `--tools N` lists N more tools.
const object = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const value = object({ value: { type: "integer" } });
const json = (body) => ({ content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: body });
const rows = (count) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({
      id,
      name: `customer ${id}`,
      country: ["DE", "FR", "IT", "ES", "PL"][id % 5],
      balance: (id * 7919) % 10_007,
      note: "x".repeat(80),
    })),
  );
const texts = new Map();
const tools = {
  echo: [value, value, (input) => json({ value: input.value })],
  look: [value, value, (input) => json({ value: input.value }), { readOnlyHint: true }],
  slow: [
    value,
    value,
    async (input) => {
      await new Promise((done) => setTimeout(done, 50));
      return json({ value: input.value });
    },
  ],
  rows: [
    object({ count: { type: "integer" } }),
    undefined,
    ({ count }) => {
      if (!texts.has(count)) texts.set(count, rows(count));
      return { content: [{ type: "text", text: texts.get(count) }] };
    },
  ],
};
const extra = Number(process.argv[process.argv.indexOf("--tools") + 1]) || 0;
const listed = [
  ...Object.entries(tools).map(([name, [inputSchema, outputSchema, , annotations]]) => ({
    name,
    description: `Bench tool ${name}`,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  })),
  ...Array.from({ length: extra }, (_, at) => ({
    name: `manage_item_${at}`,
    description: `Reads, changes or removes item ${at} of the collection, with filters, paging and a choice of fields.`,
    inputSchema: object(
      {
        id: { type: "string" },
        fields: { type: "array", items: { type: "string" } },
        limit: { type: "integer" },
        mode: { enum: ["read", "change", "remove"] },
      },
      ["id"],
    ),
  })),
];
const answers = {
  initialize: (params) => ({
    protocolVersion: params?.protocolVersion ?? "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1" },
  }),
  "tools/list": () => ({ tools: listed }),
  ping: () => ({}),
  "tools/call": ({ name, arguments: input = {} }) => tools[name][2](input),
};
let rest = "";
process.stdin
  .setEncoding("utf8")
  .on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line.trim() === "") continue;
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) continue;
      const reply = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
      const answer = answers[method];
      if (answer === undefined) reply({ error: { code: -32601, message: `Method not found: ${method}` } });
      else Promise.resolve(answer(params)).then((result) => reply({ result }));
    }
  })
  .on("end", () => process.exit(0));
