// Five small tools about time: the kind of server that needs no coordinator.
const string = (description) => ({ type: "string", description });
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const moment = Date.parse("2026-11-15T09:00:00Z");
const show = (zone) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(moment);

export const tools = {
  get_time: {
    description: "The time in a city's zone.",
    inputSchema: object({ zone: string("For example Asia/Tokyo") }),
    run: ({ zone }) => show(zone),
  },
  convert_time: {
    description: "Converts a time between zones.",
    inputSchema: object({ time: string("HH:MM"), from: string("Zone"), to: string("Zone") }),
    run: ({ time }) => time,
  },
  get_weekday: {
    description: "The weekday of a date.",
    inputSchema: object({ date: string("YYYY-MM-DD") }),
    run: ({ date }) => new Date(date).toUTCString().slice(0, 3),
  },
  add_days: {
    description: "A date some days later.",
    inputSchema: object({ date: string("YYYY-MM-DD"), days: { type: "integer" } }),
    run: ({ date, days }) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10),
  },
  days_between: {
    description: "Days from one date to another.",
    inputSchema: object({ from: string("YYYY-MM-DD"), to: string("YYYY-MM-DD") }),
    run: ({ from, to }) => String((Date.parse(to) - Date.parse(from)) / 86_400_000),
  },
};
