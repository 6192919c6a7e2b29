// The function that a skill is: its name, its parameters with their types, how it is called.
import type { JsonObject } from "../../contracts/index.js";

export interface SkillFunction {
  /** Its name in the module; `isDefault` when it is the default export. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly isAsync: boolean;
  /** One object of named values, or values in the order of the schema's properties. */
  readonly takes: "object" | "values";
  readonly parameters: JsonObject;
  /** One line, as it is written in the module. */
  readonly signature: string;
  /** What its comment says. */
  readonly description: string;
}

/** `research-pipeline` → `researchPipeline`, in Python `research_pipeline`. */
export const toFunctionName = (skill: string, language: "typescript" | "python"): string => {
  const words = skill.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name =
    language === "python"
      ? words.join("_")
      : words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  return /^\d/.test(name) ? `_${name}` : name;
};

export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
