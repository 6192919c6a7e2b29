// A two-hour transcript from a drive into a customer's record: it passes through the model twice, or not at all.

export const task = {
  name: "move-document",
  title: "A transcript moved between two servers",
  isOfSeeds: true,
  worlds: ["drive", "crm"],
  question:
    "Take the transcript of the meeting (document meeting-2026-q3 in the drive) and attach it to the lead 00Q5f000001abcXYZ in the CRM, as its Notes.",
  *direct() {
    const [transcript] = yield [["drive", "get_document", { document_id: "meeting-2026-q3" }]];
    const given = {
      object_type: "SalesMeeting",
      record_id: "00Q5f000001abcXYZ",
      data: { Notes: transcript },
    };
    const [answer] = yield [["crm", "update_record", given]];
    return toAnswer(JSON.parse(answer));
  },
  code: {
    needs: ["drive.getDocument", "crm.updateRecord"],
    searches: [{ query: "read the text of a document" }, { query: "change fields of a CRM record" }],
    programs: [
      `import { getDocument } from "servers/drive";
import { updateRecord } from "servers/crm";
const transcript = await getDocument({ document_id: "meeting-2026-q3" });
return await updateRecord({ object_type: "SalesMeeting", record_id: "00Q5f000001abcXYZ", data: { Notes: transcript } });`,
    ],
    toAnswer: (output) => toAnswer(JSON.parse(output)),
  },
};

const toAnswer = ({ record_id, characters }) =>
  `The transcript is now in the Notes of ${record_id} (${characters} characters written).`;
