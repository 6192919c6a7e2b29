// Second process: `found` is available again, without a call to the server.
const byCity: Record<string, number> = {};
for (const { city, total } of found) byCity[city] = (byCity[city] ?? 0) + total;
return { cities: Object.keys(byCity).length };
