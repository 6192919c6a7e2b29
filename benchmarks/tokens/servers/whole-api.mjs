// A whole API as tools: 60 resources, 20 operations each.
import { makeOperations } from "./operations.mjs";

const resources =
  `account alert artifact attachment backup badge billing_plan board branch budget build calendar campaign card certificate channel
check cluster comment commit contact contract dashboard dataset deployment device domain environment event feature_flag folder form
gateway group incident invoice issue job key label license message milestone model note organization package page payment pipeline
policy project queue release report repository role runner schedule secret`.split(/\s+/);

export const tools = makeOperations(resources);
