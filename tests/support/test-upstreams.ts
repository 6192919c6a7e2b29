// Upstreams for one test: a cache in its own folder, closed after the test.
import { onTestFinished } from "vitest";
import { openListingCache } from "../../src/store/index.js";
import { type OpenUpstreamsOptions, openUpstreams, type Upstreams } from "../../src/upstream/index.js";
import { temporaryFolder } from "./temporary-folder.js";

export type TestUpstreamsOptions = Partial<OpenUpstreamsOptions> & Pick<OpenUpstreamsOptions, "definitions">;

const timeouts = {
  fetchTimeoutMs: 60_000,
  connectTimeoutMs: 20_000,
  listTimeoutMs: 20_000,
  callTimeoutMs: 20_000,
  idleTimeoutMs: 600_000,
  askTimeoutMs: 600_000,
};

/** Opens upstreams with generous timeouts and a fresh cache. */
export const openTestUpstreams = async (options: TestUpstreamsOptions): Promise<Upstreams> => {
  const upstreams = openUpstreams({
    timeouts,
    maxAnswerBytes: 64 * 1024 * 1024,
    cache: options.cache ?? openListingCache(await temporaryFolder()),
    client: { name: "test", version: "0" },
    ...options,
  });
  onTestFinished(() => upstreams.close());
  return upstreams;
};

/** The first text of a tool's result. */
export const textOf = (result: Awaited<ReturnType<Upstreams["call"]>>): string | undefined =>
  result.content?.[0]?.text;

/** The same for a result of any size. */
export const readTextOf = async (
  result: Awaited<ReturnType<Upstreams["call"]>>,
): Promise<string | undefined> => textOf((await result.large?.parse()) ?? result);
