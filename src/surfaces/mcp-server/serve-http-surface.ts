// The way in over HTTP, loaded when it is asked for: who starts us over stdio does not pay for it.
import type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export type { HttpSurface, ServeHttpOptions } from "./http/serve-http.js";

export const serveHttpSurface = async (options: ServeHttpOptions): Promise<HttpSurface> =>
  (await import("./http/serve-http.js")).serveHttp(options);
