// Later, another agent imports the skill. The skill's own calls are checked and counted as if they were written here.
import { revenueByCity } from "skills/revenue-by-city";

const all = await revenueByCity({});
const large = await revenueByCity({ minimum: 900 });
return Object.keys(all)
  .sort()
  .map((city) => `${city}: ${Math.round(((large[city] ?? 0) / all[city]) * 100)} % of ${Math.round(all[city])} from large orders`);
