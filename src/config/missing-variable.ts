// The error for references in a server's entry that have no value.
import { CoordinatorError } from "../contracts/index.js";
import { quoteText } from "./describe-value.js";

export interface MissingVariable {
  readonly field: string;
  readonly variable: string;
  /** Only an editor can supply the value, or it prompts the user. */
  readonly isPrompt: boolean;
}

const describe = ({ field, variable, isPrompt }: MissingVariable): string =>
  isPrompt
    ? `field ${quoteText(field)} uses ${quoteText(`\${${variable}}`)}, which only an editor can supply`
    : `field ${quoteText(field)} uses the variable ${quoteText(variable)}, which is not set`;

export const toMissingError = (
  server: string,
  source: string,
  missing: readonly MissingVariable[],
  isInProject = false,
): CoordinatorError | undefined => {
  if (missing.length === 0) return undefined;
  const states = [...new Set(missing.map(describe))].join("; ");
  return new CoordinatorError(
    "CONFIG_VARIABLE_MISSING",
    `Cannot use server ${quoteText(server)}: ${states}`,
    {
      ...(missing.some(({ isPrompt }) => isPrompt)
        ? { hint: "Set an environment variable and refer to it instead: ${NAME}." }
        : isInProject
          ? {
              hint: 'The ".env" of this folder has it, but is not trusted yet. Review it and run "mcp-coordinator trust", or set the variable.',
            }
          : {}),
      details: { source, missing: missing.map(({ field, variable }) => ({ field, variable })) },
    },
  );
};
