// Counts tokens with the o200k tokenizer, loaded when it is first asked for: it is large.

/** Tokens of a text as current models of the o200k family count them. */
export const countTokens = async (text: string): Promise<number> => {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  return count(text, { allowedSpecial: "all" });
};
