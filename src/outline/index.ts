// Outline's job: the catalog within a budget of tokens, and its text kept between starts. A start waits for this room: it stays small.
export { openOutlineStore } from "./outline-store.js";
export { renderOutline } from "./render-outline.js";
export { stampFolder } from "./stamp-folder.js";
