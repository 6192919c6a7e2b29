// The process that receives fuzzed inputs: a host with one target. It reports each outcome and how long its loop was blocked.
import { watchEventLoop } from "../support/event-loop.mjs";

const { openTarget } = await import(`./targets/${process.argv[2]}.mjs`);
const target = await openTarget();

/** A refusal with a code is correct. Any other error is a bug. */
const take = async (input) => {
  try {
    await target.take(input);
    return undefined;
  } catch (error) {
    const code = error?.code;
    if (typeof code === "string" && code !== "INTERNAL" && error.name === "CoordinatorError")
      return undefined;
    return String(error?.stack ?? error).slice(0, 2000);
  }
};

process.on("message", async (message) => {
  const watch = watchEventLoop();
  const fault = await take(message.input);
  process.send({ fault, ...(await watch.stop()) });
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });
