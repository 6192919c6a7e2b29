// `notes.saveNote` and `notes.findNotes` are typed functions as soon as mcp.json has the entry.
import { findNotes, saveNote } from "servers/notes";

await Promise.all(["milk", "bread", "salt"].map((text) => saveNote({ topic: "shopping", text })));
const { notes: found } = await findNotes({ topic: "shopping" });
return found.map(({ text }) => text).sort();
