// Asks a person before it begins; the long step is one that the configuration wants a person to allow. Its progress is told meanwhile.
import { getStructuredContent, triggerLongRunningOperation } from "servers/everything";

const location = await ask("Which city?", { choices: ["New York", "Chicago"] });
const { conditions } = await getStructuredContent({ location });
const done = await triggerLongRunningOperation({ duration: 1, steps: 4 });
return `${location}: ${conditions}. ${done}`;
