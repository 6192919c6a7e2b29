// The response to a refused request: a status and a sentence, revealing nothing.

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** In the format of errors that belong to no request. */
export const toRefusalResponse = ({ status, message, headers = {} }: Refusal): Response =>
  Response.json(
    { jsonrpc: "2.0", error: { code: -32_000, message }, id: null },
    {
      status,
      headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
    },
  );
