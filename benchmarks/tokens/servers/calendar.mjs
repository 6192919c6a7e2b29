// A calendar: events can be created and listed.
const events = [];
const string = (description) => ({ type: "string", description });

export const tools = {
  create_event: {
    description: "Creates an event in the calendar and invites the people named.",
    inputSchema: {
      type: "object",
      properties: {
        title: string("The title of the event"),
        start: string("When it starts, in ISO 8601 format"),
        end: string("When it ends, in ISO 8601 format"),
        location: string("Where it takes place"),
        attendees: {
          type: "array",
          items: { type: "string" },
          description: "Email addresses of those invited",
        },
      },
      required: ["title", "start", "end"],
    },
    run: (given) => {
      const id = `evt_${String(events.length + 1).padStart(6, "0")}`;
      const event = {
        id,
        status: "confirmed",
        link: `https://calendar.example.com/event/${id}`,
        ...given,
        organizer: { email: "me@example.com", self: true },
        reminders: { use_default: true },
      };
      events.push(event);
      return event;
    },
  },
  list_events: {
    description: "Lists the events of a month.",
    inputSchema: {
      type: "object",
      properties: { month: string("The month, for example 2027-01") },
      required: ["month"],
    },
    run: ({ month }) => events.filter(({ start }) => start.startsWith(month)),
  },
};
