// Loads the HTTP server on demand, so that stdio does not pay for it.
import type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export const serveHttpSurface = async (options: ServeHttpOptions): Promise<HttpSurface> =>
  (await import("./http/serve-http.js")).serveHttp(options);
