// Fifty reports of 2,000 tokens, summarized in three lines.

export const task = {
  name: "fifty-documents",
  title: "Fifty documents read for a summary",
  isOfSeeds: true,
  worlds: ["drive", "crm"],
  question:
    "Read the fifty weekly reports in the folder reports. How many have each status, how much was spent in all, and which reports are blocked?",
  *direct() {
    const [listed] = yield [["drive", "list_documents", { folder: "reports" }]];
    const ids = JSON.parse(listed).map(({ document_id }) => document_id);
    const texts = yield ids.map((document_id) => ["drive", "get_document", { document_id }]);
    const reports = texts.map((text, at) => ({
      id: ids[at],
      status: /^Status: (.*)$/m.exec(text)[1],
      spent: Number(/^Spent: (.*)$/m.exec(text)[1]),
    }));
    const states = {};
    for (const { status } of reports) states[status] = (states[status] ?? 0) + 1;
    return toAnswer({
      states,
      spent: reports.reduce((sum, { spent }) => sum + spent, 0),
      blocked: reports.filter(({ status }) => status === "blocked").map(({ id }) => id),
    });
  },
  code: {
    needs: ["drive.listDocuments", "drive.getDocument"],
    searches: [{ query: "list and read documents of a folder" }],
    programs: [
      `import { listDocuments, getDocument } from "servers/drive";
const documents = await listDocuments({ folder: "reports" });
const texts = await Promise.all(documents.map(({ document_id }) => getDocument({ document_id })));
const states = {}, blocked = [];
let spent = 0;
texts.forEach((text, at) => {
  const status = /^Status: (.*)$/m.exec(text)[1];
  states[status] = (states[status] ?? 0) + 1;
  spent += Number(/^Spent: (.*)$/m.exec(text)[1]);
  if (status === "blocked") blocked.push(documents[at].document_id);
});
return { states, spent, blocked };`,
    ],
    toAnswer: (output) => toAnswer(JSON.parse(output)),
  },
};

const toAnswer = ({ states, spent, blocked }) =>
  `On track ${states["on track"]}, at risk ${states["at risk"]}, blocked ${states.blocked}; ${spent} spent. Blocked: ${blocked.join(", ")}.`;
