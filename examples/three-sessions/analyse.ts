// Second process: `found` is there again, and the server is not asked.
const byCity: Record<string, number> = {};
for (const { city, total } of found) byCity[city] = (byCity[city] ?? 0) + total;
return { cities: Object.keys(byCity).length };
