import { getStructuredContent } from "servers/everything";
import { readTextFile } from "servers/filesystem";
import { createEntities } from "servers/memory";

// 2,000 orders come into the sandbox; the model never sees them.
const { content } = await readTextFile({ path: "orders.csv" });
const orders = content.trim().split("\n").slice(1);

const revenue = new Map<string, number>();
for (const order of orders) {
  const [, , city, , quantity, price, state] = order.split(",");
  if (state === "returned") continue;
  const amount = Number(quantity) * Number(price);
  revenue.set(city, (revenue.get(city) ?? 0) + amount);
}

// One question for each city, all of them at once.
const cities = await Promise.all(
  [...revenue].map(async ([name, total]) => {
    const { conditions } = await getStructuredContent({ location: name });
    return { name, total: Math.round(total), conditions };
  }),
);

// From one server straight into the next.
await createEntities({
  entities: cities.map(({ name, total, conditions }) => ({
    name,
    entityType: "city",
    observations: [`revenue $${total}`, conditions],
  })),
});

console.log(`${orders.length} orders, best city first:`);
for (const city of cities.sort((a, b) => b.total - a.total)) {
  console.log(`${city.name}: $${city.total}, ${city.conditions}`);
}
