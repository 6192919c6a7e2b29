// For `node --import`: writes the URL of every loaded module to stderr, until the process has answered the request with the id 2.
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

let hasAnswered = false;
registerHooks({
  load: (url, context, next) => {
    if (!hasAnswered) writeSync(2, `loaded ${url}\n`);
    return next(url, context);
  },
});

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...others) => {
  hasAnswered ||= String(chunk).includes('"id":2');
  return write(chunk, ...others);
};
