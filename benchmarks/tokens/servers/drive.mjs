// A drive with a long transcript, a sheet of orders and a folder of reports, among forty other operations.
import { createDice } from "./dice.mjs";
import { makeLongOperations } from "./operations.mjs";

const words =
  `the team agreed that revenue from renewals should be reviewed before the quarter ends because several customers asked for a longer
trial and the support queue has grown while the migration is late so we will move two engineers and tell the board next week about pricing
hiring churn forecasts discounts contracts security reviews onboarding latency dashboards and the open questions of procurement`.split(
    /\s+/,
  );
const speakers = ["Ana", "Ben", "Chloe", "David", "Emre", "Fatima"];

/** Two hours of a meeting, one line per speaker turn. */
const makeTranscript = () => {
  const { roll, pick } = createDice(11);
  return Array.from({ length: 1400 }, (_, at) => {
    const minute = Math.floor((at * 120) / 1400);
    const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
    const sentence = Array.from({ length: 14 + roll(24) }, () => pick(words)).join(" ");
    return `[${time}] ${pick(speakers)}: ${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
  }).join("\n");
};

const makeOrders = () => {
  const { roll, pick } = createDice(12);
  return Array.from({ length: 10_000 }, (_, at) => ({
    order_id: `SO-${20_000 + at}`,
    customer: `customer-${roll(900)}`,
    status: pick(["shipped", "shipped", "shipped", "delivered", "delivered", "pending", "cancelled"]),
    amount: roll(200_000) / 100,
    country: pick(["DE", "FR", "US", "JP", "BR"]),
  }));
};

const makeReports = () => {
  const { roll, pick } = createDice(13);
  return Array.from({ length: 50 }, (_, at) => {
    const paragraphs = Array.from({ length: 16 }, () =>
      Array.from({ length: 90 + roll(40) }, () => pick(words)).join(" "),
    );
    const status = pick(["on track", "on track", "at risk", "blocked"]);
    return {
      id: `report-${at + 1}`,
      title: `Weekly report ${at + 1}`,
      text: `Status: ${status}\nOwner: ${pick(speakers)}\nSpent: ${roll(90_000)}\n\n${paragraphs.join("\n\n")}`,
    };
  });
};

const reports = makeReports();
const contents = new Map([
  ["meeting-2026-q3", makeTranscript()],
  ...reports.map(({ id, text }) => [id, text]),
]);
const id = { type: "string", description: "The identifier of the document" };

// The tools of the tasks come last, so that a list of only the first tools does not contain them.
export const tools = {
  ...makeLongOperations(["drive_file", "drive_folder"]),
  get_document: {
    description: "Reads the whole text of a document.",
    inputSchema: { type: "object", properties: { document_id: id }, required: ["document_id"] },
    run: ({ document_id }) => contents.get(document_id) ?? "",
  },
  list_documents: {
    description: "Lists the documents of a folder with identifier and title.",
    inputSchema: {
      type: "object",
      properties: { folder: { type: "string", description: "The name of the folder" } },
      required: ["folder"],
    },
    run: () => reports.map(({ id: document_id, title }) => ({ document_id, title })),
  },
  get_sheet: {
    description: "Reads all rows of a sheet.",
    inputSchema: {
      type: "object",
      properties: { sheet_id: { type: "string", description: "The identifier of the sheet" } },
      required: ["sheet_id"],
    },
    run: () => JSON.stringify(makeOrders()),
  },
};
