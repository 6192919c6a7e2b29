// Records the tokens that a search cost the model, as an offset to what runs save.

import type { Host } from "../host/host.js";
import { countTokens } from "./count-tokens.js";

export interface NoteSearchRequest {
  /** The arguments as the model wrote them. */
  readonly asked: string;
  /** The answer as the model reads it. */
  readonly shown: string;
}

export const noteSearch = async (host: Host, { asked, shown }: NoteSearchRequest): Promise<void> => {
  const [written, read] = await Promise.all([
    countTokens(host.tokens, asked),
    countTokens(host.tokens, shown),
  ]);
  host.ledger.addSearch(written + read);
};
