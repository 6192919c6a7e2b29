// The verbs of the configured model.
import type { ModelAnswer, ModelProvider, ModelRequest } from "../../contracts/index.js";

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
