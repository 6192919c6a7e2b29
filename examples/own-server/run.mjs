// Lists, shows and uses the server of this folder.
import assert from "node:assert/strict";
import { example } from "../support/example.mjs";

await example(import.meta.url, async ({ command }) => {
  const listed = await command("servers");
  console.log(`$ mcp-coordinator servers\n${listed.stdout}`);
  assert.match(listed.stdout, /notes/);

  const shown = await command("show", "notes.save_note");
  console.log(`$ mcp-coordinator show notes.save_note\n${shown.stdout}`);
  assert.match(shown.stdout, /saveNote/);

  const run = await command("run", "program.ts");
  console.log(`$ mcp-coordinator run program.ts\n${run.stdout}`);
  assert.deepEqual(JSON.parse(run.stdout), ["bread", "milk", "salt"]);
});
