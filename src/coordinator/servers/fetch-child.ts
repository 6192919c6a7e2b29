// The process that fetches packages, apart from the host: what it began it finishes, also when the host is gone.
import { withLock } from "../../store/index.js";
import { serveFetches } from "../../upstream/index.js";

/** Others may install for long before it is our turn. */
const maxWaitMs = 60 * 60 * 1000;
const pollMs = 100;

await serveFetches((folder, work) => withLock(folder, work, { waitMs: maxWaitMs, pollMs }));
process.exit(0);
