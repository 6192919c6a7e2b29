// What a model reads of one tool's answer, as much of it as goes to a model at once.
import type { Json } from "../../contracts/index.js";

/** Text as it is, anything else as JSON; the end of what is too long is left out and told. */
export const renderAnswer = (answer: Json, mostBytes: number): string => {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return text;
  // A cut inside a character leaves a mark that says so.
  const kept = Buffer.from(text).subarray(0, mostBytes).toString();
  return `${kept}\n[Cut: ${mostBytes} of ${bytes} bytes. Use run_code to return only what you need]`;
};
