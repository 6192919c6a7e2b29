// Builds this checkout when npm links it: `npm install -g .`, or `npm install PATH` in another project.
// npm installs no dependencies for a link, and the command would not start without a build.
import { realpathSync } from "node:fs";
import { checkout, prepare } from "./prepare.mjs";

const { npm_config_global: isGlobal, npm_config_local_prefix: project } = process.env;

// `npm install` and `npm pack` in the checkout itself run this too; they need no build.
const isLinked = isGlobal === "true" || (project && realpathSync(project) !== realpathSync(checkout));
if (isLinked) await prepare();
