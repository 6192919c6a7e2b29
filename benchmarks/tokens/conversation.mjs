// Counts what a model reads and writes in each turn.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens of a text (o200k). Special tokens count as text. */
export const count = (text) => countTokens(text, { disallowedSpecial: new Set() });

const sum = (texts) => texts.reduce((total, text) => total + count(text), 0);

/**
 * One task as a model works on it. A turn is one call of the model: it reads the definitions, the question and everything that was
 * said before, and writes something; what comes back is read from the next turn on.
 */
export const openConversation = ({ shown, question }) => {
  const figures = {
    definitions: count(shown),
    discovery: 0,
    program: 0,
    calls: 0,
    results: 0,
    turns: 0,
    largest: 0,
    total: 0,
  };
  let context = figures.definitions + count(question);
  return {
    /** `kind` is what the model does in this turn: discovery, program, calls or answer. */
    turn: (kind, writes, reads = []) => {
      const written = sum(writes);
      const read = sum(reads);
      if (kind === "discovery") figures.discovery += written + read;
      else if (kind !== "answer") {
        figures[kind] += written;
        figures.results += read;
      }
      figures.turns++;
      context += written;
      // Read and written in this turn.
      figures.total += context;
      figures.largest = Math.max(figures.largest, context);
      context += read;
    },
    figures,
  };
};

/** What a client passes to the model of a tool. */
export const toDefinition = ({ name, description, inputSchema }) => ({ name, description, inputSchema });
