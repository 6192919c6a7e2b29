// What is answered to a request that gets no further: a status, a sentence, and nothing that the asker did not know.

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** As clients of the protocol read errors that belong to no request of theirs. */
export const toRefusalResponse = ({ status, message, headers = {} }: Refusal): Response =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message }, id: null },
    {
      status,
      headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
    },
  );
