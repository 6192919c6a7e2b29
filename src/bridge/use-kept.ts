// What a program keeps on the host is journalled like its calls: it must not count twice when the run goes on.
import { hash } from "node:crypto";
import {
  type CallEffect,
  type GuestAnswer,
  type GuestCall,
  type Json,
  largeBytes,
} from "../contracts/index.js";
import type { Following } from "./follow-journal.js";
import { parseArguments } from "./parse-arguments.js";
import { toFailure } from "./to-failure.js";

/** It is bounded by `largeBytes`. */
const unbounded = {
  argumentBytes: Number.POSITIVE_INFINITY,
  argumentValues: Number.POSITIVE_INFINITY,
};

/** A part of the host that keeps what programs give it. */
export interface KeepingPart {
  /** As which it stands in the journal. */
  readonly name: string;
  /** Undefined for what is not journalled. */
  readonly toEffect: (name: string) => CallEffect | undefined;
  readonly answer: (name: string, argumentsJson: string) => Promise<GuestAnswer>;
}

/** Never rejects: a failure is an answer. */
export const useKept = async (
  { check, takePlace, follow }: Following,
  part: KeepingPart,
  { tool, argumentsJson, times }: GuestCall,
): Promise<GuestAnswer> => {
  const place = takePlace(times);
  const make = (): Promise<GuestAnswer> => part.answer(tool, argumentsJson);
  try {
    check();
    const effect = part.toEffect(tool);
    const values = effect === undefined ? undefined : readSound(argumentsJson);
    if (effect === undefined || values === undefined) return await make();
    const issued = { server: part.name, tool, arguments: values, effect };
    const argumentBytes = argumentsJson.length;
    return (await follow(place, issued, { decision: "allowed", make, argumentBytes })).answer;
  } catch (thrown) {
    return toFailure(thrown);
  } finally {
    place?.leave();
  }
};

/**
 * What is no list, or is nested too deeply, is refused by the part itself, and is not worth a record. What is large is known by its hash:
 * it is written where it is kept, and not again beside it.
 */
const readSound = (argumentsJson: string): Json | undefined => {
  const bytes = argumentsJson.length;
  if (bytes > largeBytes) return [{ sha256: hash("sha256", argumentsJson), bytes }];
  try {
    return [...parseArguments("it", argumentsJson, unbounded)];
  } catch {
    return undefined;
  }
};
