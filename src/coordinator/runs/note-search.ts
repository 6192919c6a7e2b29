// Counts what a search cost the model: it is set against what runs spare it.

import type { Host } from "../host/host.js";
import { countTokens } from "./count-tokens.js";

export interface NoteSearchRequest {
  /** The arguments as the model wrote them. */
  readonly asked: string;
  /** What the model reads of the answer. */
  readonly shown: string;
}

export const noteSearch = async (host: Host, { asked, shown }: NoteSearchRequest): Promise<void> => {
  const [written, read] = await Promise.all([
    countTokens(host.tokens, asked),
    countTokens(host.tokens, shown),
  ]);
  host.ledger.addSearch(written + read);
};
