// The process that refreshes one sign-in. It finishes even if the host is killed, because many issuers accept a refresh token only once.
import { text } from "node:stream/consumers";
import { toCoordinatorError } from "../../contracts/index.js";
import { openVault } from "../../store/index.js";
import { runRefreshJob } from "../../upstream/index.js";
import type { RefreshInput } from "./sign-in.js";

const { job, vault, vaultFolder } = JSON.parse(await text(process.stdin)) as RefreshInput;
// The host may be gone.
process.stdout.on("error", () => {});
try {
  await runRefreshJob(openVault({ vault, vaultFolder, environment: process.env }), job);
  process.stdout.write("{}\n");
} catch (thrown) {
  const { code, message, hint, details } = toCoordinatorError(thrown);
  process.stdout.write(`${JSON.stringify({ failure: { code, message, hint, details } })}\n`);
}
