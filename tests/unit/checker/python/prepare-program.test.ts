// What is known about a Python program before it is parsed.
import { expect, it } from "vitest";
import { prepareProgram } from "../../../../src/checker/index.js";

const declares = async (code: string): Promise<string[]> => {
  const program = await prepareProgram(code, { language: "python", isSession: true });
  return [...program.declares].sort();
};

it.each([
  ["total = orders.list_orders(limit=5)", ["total"]],
  ["first, (second, *rest) = pair", ["first", "rest", "second"]],
  ["count: int = 3\ncount += 1", ["count"]],
  ["async def look(a, b=1):\n    pass\nclass Order(Base):\n    pass", ["Order", "look"]],
  ["for id, name in rows:\n    pass", ["id", "name"]],
  [
    "import pandas as pd\nfrom csv import reader, writer as w",
    ["as", "pandas", "pd", "reader", "w", "writer"],
  ],
  ["with open('x') as file:\n    pass", ["file"]],
  ["orders.add_note(orderId=1)\nprint(orders == 1)\norders.seen = 1", []],
])("preparePython() lists the names that %j declares", async (code, names) => {
  expect(await declares(code)).toEqual(names);
});

it("preparePython() is no slower on lines that are hard to parse", async () => {
  expect(await declares(`${"a ".repeat(100_000)}\n${"(".repeat(100_000)}=`)).toEqual([]);
});
