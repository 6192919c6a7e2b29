// The verbs of the configured model. Opens it: reads its key from the environment when it is used.
import {
  CoordinatorError,
  type ModelAnswer,
  type ModelProvider,
  type ModelRequest,
  type ModelSettings,
} from "../../contracts/index.js";
import { checkObject } from "../host/bind-verbs.js";

/** The configured model, without its key. */
export interface ModelFacts {
  readonly provider: ModelProvider;
  /** Undefined: none is configured. */
  readonly model: string | undefined;
  readonly maxAnswerTokens: number;
  readonly budgetTokens: number;
  /** US dollars per million tokens. */
  readonly inputPrice: number | undefined;
  readonly outputPrice: number | undefined;
}

export interface ModelVerbs {
  readonly model: ModelFacts;
  /** Sends one conversation to the configured model. Calls no tool: `ask` does. */
  readonly askModel: (request: ModelRequest) => Promise<ModelAnswer>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Used for the provider's own address only: another host must not get them unasked. */
const ownVariables: Readonly<Record<ModelProvider, string | undefined>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  ollama: undefined,
};

export const openModel = (settings: ModelSettings, environment: Environment = process.env): ModelVerbs => {
  const { provider, model, maxAnswerTokens, budgetTokens, inputPrice, outputPrice } = settings;
  return {
    model: { provider, model, maxAnswerTokens, budgetTokens, inputPrice, outputPrice },
    askModel: async (request) => {
      checkObject(request);
      const name = request.model ?? model;
      if (name === undefined)
        throw new CoordinatorError("MODEL_NOT_CONFIGURED", "Cannot ask a model: none is configured");
      const key = readKey(settings, environment);
      const { sendToModel } = await import("../../models/index.js");
      return sendToModel({ ...settings, model: name, key }, request);
    },
  };
};

const readKey = ({ apiKey, baseUrl, provider }: ModelSettings, environment: Environment) => {
  const written = apiKey?.replace(/^\$\{(?:env:)?/, "").slice(0, -1);
  const own = baseUrl === undefined ? ownVariables[provider] : undefined;
  const variable = written ?? own;
  if (variable === undefined) return undefined;
  const key = environment[variable]?.trim();
  if (key) return key;
  throw new CoordinatorError("MODEL_NOT_CONFIGURED", `Cannot ask a model: "${variable}" is not set`, {
    hint: `Set the environment variable ${variable} to the key.`,
  });
};
