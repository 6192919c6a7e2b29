// The arguments of a call as a guest sends them: JSON text, with or without handles.

import { readCall } from "../../../dist/bridge/arguments.js";
import { bindArguments, validateArguments } from "../../../dist/catalog/index.js";

const tool = {
  server: "shop",
  name: "order",
  functionName: "order",
  description: "",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", pattern: "^(a+)+$", format: "email", maxLength: 100 },
      items: { type: "array", items: { $ref: "#/$defs/item" }, uniqueItems: true },
    },
    required: ["name"],
    $defs: { item: { anyOf: [{ type: "integer" }, { $ref: "#/$defs/item" }, { type: "object" }] } },
  },
  isReadOnly: false,
  isDestructive: true,
  fingerprint: "1",
};

export const openTarget = async () => ({
  take: async (text) => {
    const { values } = await readCall("shop.order", text, {
      argumentBytes: 4_000_000,
      argumentValues: 100_000,
    });
    validateArguments(tool, bindArguments(tool, values));
  },
});
