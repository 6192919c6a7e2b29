// 10,000 rows of a sheet, of which five and a count are needed.

export const task = {
  name: "large-sheet",
  title: "10,000 rows filtered to five",
  isOfSeeds: true,
  worlds: ["drive", "crm"],
  question: "In the sheet abc123, how many orders are pending? Show the first five of them.",
  *direct() {
    const [text] = yield [["drive", "get_sheet", { sheet_id: "abc123" }]];
    const pending = JSON.parse(text).filter(({ status }) => status === "pending");
    return toAnswer({ count: pending.length, first: pending.slice(0, 5) });
  },
  code: {
    needs: ["drive.getSheet"],
    searches: [{ query: "read the rows of a sheet" }],
    programs: [
      `import { getSheet } from "servers/drive";
const rows = await getSheet({ sheet_id: "abc123" });
const pending = rows.filter((row) => row.status === "pending");
return { count: pending.length, first: pending.slice(0, 5) };`,
    ],
    toAnswer: (output) => toAnswer(JSON.parse(output)),
  },
};

const toAnswer = ({ count, first }) =>
  `${count} orders are pending; the first: ${first.map(({ order_id, amount }) => `${order_id} (${amount})`).join(", ")}.`;
