// Refuses calls whose tokens or texts the server may not get, before a person is asked. Values are filled in when the call is made.
import { type RuleName, toCoordinatorError } from "../contracts/index.js";
import { toFailure } from "./answers.js";
import type { BridgePrivacy, Middleware } from "./pipeline.js";

export interface TokenCheckOptions {
  readonly privacy?: BridgePrivacy | undefined;
  /** A guardrail applies to the arguments of a call and does not block them. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

export const toTokenCheck =
  ({ privacy, onWarning }: TokenCheckOptions): Middleware =>
  async (call, next) => {
    const { ruled, shown = {}, destination } = call;
    if (privacy === undefined || ruled === undefined) return next();
    const warn = ({ name }: RuleName, text: string): void => {
      call.warned = [...(call.warned ?? []), name];
      onWarning?.(text);
    };
    try {
      // A call that is not made needs no values.
      if (call.decision === "allowed") await privacy.redeem(ruled, shown, destination, warn);
      else await privacy.guard(ruled, shown, warn);
    } catch (thrown) {
      call.guardrail = readGuardrail(thrown);
      const failure = toFailure(thrown);
      // A call that is answered from the journal was checked when it was made.
      if (call.place === undefined || call.effect === undefined) return failure;
      call.denial = failure;
    }
    return next();
  };

const readGuardrail = (thrown: unknown): string | undefined => {
  const { code, details } = toCoordinatorError(thrown);
  return code === "GUARDRAIL_BLOCKED" ? (details as { readonly guardrail: string }).guardrail : undefined;
};
