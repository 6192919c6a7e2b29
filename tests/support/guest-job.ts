// A job for tests that run a guest without a bridge: no files, no globals, and every call is answered with null.
import { defaultLimits, type GuestJob } from "../../src/contracts/index.js";

export const toJob = (job: Partial<GuestJob> = {}): GuestJob => ({
  language: "typescript",
  code: "",
  files: [],
  globals: {},
  host: { call: async () => ({ status: "answered", format: "json", body: "null" }) },
  limits: defaultLimits,
  ...job,
});

/** The program with this body. */
export const toProgram = (body: string): string => `export default async function program() {\n${body}\n}`;
