// Values that programs keep on this side of their wall.
export { openKeptValues } from "./kept-values.js";
