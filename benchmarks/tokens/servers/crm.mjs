// A CRM: records can be changed, among sixty other operations.
import { makeLongOperations } from "./operations.mjs";

// The tools of the tasks come last, so that a list of only the first tools does not contain them.
export const tools = {
  ...makeLongOperations(["lead", "opportunity", "customer_account"]),
  update_record: {
    description: "Changes fields of a record.",
    inputSchema: {
      type: "object",
      properties: {
        object_type: {
          type: "string",
          description: "Type of the record: Lead, Contact, Account, SalesMeeting",
        },
        record_id: { type: "string", description: "The identifier of the record" },
        data: { type: "object", description: "Fields to change, with their new values" },
      },
      required: ["object_type", "record_id", "data"],
    },
    run: ({ object_type, record_id, data }) => ({
      success: true,
      object_type,
      record_id,
      characters: JSON.stringify(data).length,
    }),
  },
};
