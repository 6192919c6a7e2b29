// Aborts one controller with another's signal: what AbortSignal.any does, at a fraction of its price.

/** To be let go of afterwards: who gave the signal may keep it for many runs. */
export const followSignal = (controller: AbortController, signal: AbortSignal | undefined): (() => void) => {
  if (signal === undefined) return () => {};
  const follow = (): void => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow, { once: true });
  return () => signal.removeEventListener("abort", follow);
};
