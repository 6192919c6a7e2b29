// Asks a person before it begins. The configuration requires approval for the long step, which reports its progress.
import { getStructuredContent, triggerLongRunningOperation } from "servers/everything";

const location = await ask("Which city?", { choices: ["New York", "Chicago"] });
const { conditions } = await getStructuredContent({ location });
const done = await triggerLongRunningOperation({ duration: 1, steps: 4 });
return `${location}: ${conditions}. ${done}`;
