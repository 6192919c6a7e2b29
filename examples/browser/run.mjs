// A real browser, driven by Playwright's MCP server, on pages that this file serves on loopback.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { completedValue, example } from "../support/example.mjs";
import { needChromium, needPackage } from "../support/packages.mjs";

const prices = { north: 12.5, south: 9.75, west: 11 };
const filler = Array.from({ length: 400 }, (_, at) => `<p>Line ${at} of what nobody asked for.</p>`).join("");
const orders = [];

const pages = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const seller = pathname.slice(1);
  const amount = searchParams.get("amount");
  if (amount !== null) orders.push({ seller, amount: Number(amount) });
  const said = amount === null ? "" : `Ordered ${amount} from ${seller}`;
  response.setHeader("content-type", "text/html");
  response.end(
    `<!doctype html><title>${seller}</title><h1>${seller}</h1><b id="price">${prices[seller]}</b><p id="said">${said}</p>
     <form><input name="amount" aria-label="Amount"><button>Order</button></form>${filler}`,
  );
});

await example(import.meta.url, async ({ open, read }) => {
  process.env.CHROMIUM = needChromium();
  // Chromium's own sandbox does not start for root.
  if (process.getuid?.() === 0) process.env.CHROMIUM_SANDBOX = "false";
  needPackage("@playwright/mcp@0.0.83");
  await new Promise((done) => pages.listen(0, "127.0.0.1", done));
  try {
    const code = read("program.ts").replace(
      "http://localhost:8080",
      `http://127.0.0.1:${pages.address().port}`,
    );
    const coordinator = await open();
    const result = await coordinator.runCode({ code, limits: { timeoutMs: 60_000 } });
    console.log(completedValue(result));

    assert.deepEqual(result.value, {
      offers: [
        { seller: "south", price: 9.75 },
        { seller: "west", price: 11 },
        { seller: "north", price: 12.5 },
      ],
      said: "Ordered 3 from south",
    });
    assert.deepEqual(orders, [{ seller: "south", amount: 3 }]);
  } finally {
    pages.closeAllConnections();
    pages.close();
  }
});
