// Which service fails most, since when, and did it happen before? Thousands of lines stay in the sandbox.
import { createEntities, searchNodes } from "servers/incidents";
import { readTextFile, searchFiles } from "servers/logs";

const { content } = await searchFiles({ path: ".", pattern: "*.log" });
const reports = await Promise.all(
  content.split("\n").map(async (path) => {
    const lines = (await readTextFile({ path })).content.trim().split("\n");
    const errors = lines.filter((line) => line.includes(" ERROR "));
    return { service: path.split("/").at(-1)?.replace(".log", ""), lines: lines.length, errors };
  }),
);

const [worst] = reports.sort((a, b) => b.errors.length - a.errors.length);
const name = `errors of ${worst.service}`;
const before = await searchNodes({ query: name });
if (before.entities.length === 0) {
  await createEntities({ entities: [{ name, entityType: "incident", observations: [worst.errors[0]] }] });
}
return { service: worst.service, errors: worst.errors.length, of: worst.lines, since: worst.errors[0].slice(0, 16), isNew: before.entities.length === 0 };
