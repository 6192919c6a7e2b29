// The catalog's job: a server's listing becomes tools with safe names, and a call's values become checked arguments.
export { bindArguments } from "./bind-arguments.js";
export { makeExample } from "./example/make-example.js";
export { renderOutline } from "./outline.js";
export { joinShapes } from "./shapes/join-shapes.js";
export { type LearnableAnswer, learnShape } from "./shapes/learn-shape.js";
export { readAnswer } from "./shapes/read-answer.js";
export { openShapeBook, type ShapeBook } from "./shapes/shape-book.js";
export { shapeToSchema, toLearnedResult } from "./shapes/shape-to-schema.js";
export { simulateAnswer, simulatedMark } from "./simulate/simulate-answer.js";
export { toFinder, toServerCatalog } from "./to-server-catalog.js";
export { toServerIdentifiers } from "./to-server-identifiers.js";
export { validateArguments } from "./validate-arguments.js";
