// What a program sees of an error: the message and the next step, never a stack or a cause.
import { type GuestAnswer, toCoordinatorError } from "../contracts/index.js";

export const toFailure = (thrown: unknown): GuestAnswer => {
  const { code, message, hint } = toCoordinatorError(thrown);
  const name = code === "ARGUMENTS_INVALID" ? "ArgumentError" : "ToolError";
  return { status: "failed", name, code, message: `${message}. ${hint}` };
};
