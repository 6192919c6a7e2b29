// An event for each day of January: thirty-one calls, or one loop.

const days = Array.from({ length: 31 }, (_, at) => String(at + 1).padStart(2, "0"));
const toEvent = (day) => ({
  title: "Stand-up",
  start: `2027-01-${day}T09:00:00Z`,
  end: `2027-01-${day}T09:15:00Z`,
  attendees: ["team@example.com"],
});

/** Whether a model makes all calls at once or one after the other is its choice: both are measured. */
const toTask = (name, title, direct) => ({
  name,
  title,
  worlds: ["calendar"],
  question:
    "Put a stand-up of 15 minutes at 9:00 UTC on every day of January 2027 and invite team@example.com.",
  direct,
  code: {
    needs: ["calendar.createEvent"],
    searches: [{ query: "create an event", limit: 2 }],
    programs: [
      `import { createEvent } from "servers/calendar";
let made = 0;
for (let day = 1; day <= 31; day++) {
  const date = \`2027-01-\${String(day).padStart(2, "0")}\`;
  await createEvent({ title: "Stand-up", start: \`\${date}T09:00:00Z\`, end: \`\${date}T09:15:00Z\`, attendees: ["team@example.com"] });
  made++;
}
return made;`,
    ],
    toAnswer,
  },
});

const toAnswer = (made) => `Created ${made} events.`;

export const tasks = [
  toTask("events-at-once", "31 events, direct calls all in one turn", function* () {
    const made = yield days.map((day) => ["calendar", "create_event", toEvent(day)]);
    return toAnswer(made.length);
  }),
  toTask("events-one-by-one", "31 events, direct calls one by one", function* () {
    let made = 0;
    for (const day of days) made += (yield [["calendar", "create_event", toEvent(day)]]).length;
    return toAnswer(made);
  }),
];
