// An agent saves a working program as a skill: a typed function for later programs.
await skills.save({
  name: "revenue-by-city",
  description: "Revenue of paid orders by city, for orders of at least a given total",
  tags: ["orders", "report"],
  code: `
import { listOrders } from "servers/orders";

/** Revenue of paid orders by city. */
export const revenueByCity = async ({ minimum = 0 }: { minimum?: number }): Promise<Record<string, number>> => {
  const revenue: Record<string, number> = {};
  for (let cursor: number | undefined = 0; cursor !== undefined; ) {
    const page = await listOrders({ cursor, limit: 200 });
    for (const { city, status, total } of page.orders)
      if (status === "paid" && total >= minimum) revenue[city] = (revenue[city] ?? 0) + total;
    cursor = page.nextCursor;
  }
  return revenue;
};
`,
});
return (await skills.search("revenue")).map(({ importLine, signature }) => ({ importLine, signature }));
