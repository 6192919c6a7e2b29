// The process that fetches packages. It is separate from the host, so that it finishes even if the host ends.
import { withLock } from "../../store/index.js";
import { serveFetches } from "../../upstream/index.js";

/** Other installations may take long before ours starts. */
const maxWaitMs = 60 * 60 * 1000;
const pollMs = 100;

await serveFetches((folder, work) => withLock(folder, work, { waitMs: maxWaitMs, pollMs }));
process.exit(0);
