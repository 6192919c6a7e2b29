// Reads rates such as "30/min" and durations such as "60s".
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

export interface Rate {
  readonly count: number;
  readonly periodMs: number;
}

/** Parses `30/min`, `5/s`, `1000/day`, `100/10s`. Undefined if the text is not a rate. */
export const parseRate = (text: string): Rate | undefined => {
  const found = /^(\d{1,7})\/(\d{0,6})([a-z]{1,6})$/.exec(text.toLowerCase());
  const unit = unitMs[found?.[3] ?? ""];
  const count = Number(found?.[1] ?? 0);
  const periods = found?.[2] === "" ? 1 : Number(found?.[2] ?? 0);
  return unit === undefined || count < 1 || periods < 1 ? undefined : { count, periodMs: periods * unit };
};

/** Parses a rate, or a total number of calls. */
export const parseQuota = (
  given: string | number,
): { readonly count: number; readonly periodMs?: number | undefined } | undefined =>
  /^\d{1,9}$/.test(String(given)) ? { count: Number(given) } : parseRate(String(given));

/** Parses `60s`, `5min`, `500ms`. Undefined if the text is not a duration. */
export const parseDuration = (text: string): number | undefined => {
  const found = /^(\d{1,9})([a-z]{1,6})$/.exec(text.toLowerCase());
  const unit = unitMs[found?.[2] ?? ""];
  return unit === undefined ? undefined : Number(found?.[1]) * unit;
};
