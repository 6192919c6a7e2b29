// Asks a person first. Then it calls a slow tool, which the configuration lets a person approve.
import { getStructuredContent, triggerLongRunningOperation } from "servers/everything";

const location = await ask("Which city?", { choices: ["New York", "Chicago"] });
const { conditions } = await getStructuredContent({ location });
const done = await triggerLongRunningOperation({ duration: 1, steps: 4 });
return `${location}: ${conditions}. ${done}`;
