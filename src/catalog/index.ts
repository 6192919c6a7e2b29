// The catalog: a server's listing → Tool records with safe names; a call's values → validated arguments.
export { toServerIdentifiers } from "./assign-identifiers.js";
export { bindArguments } from "./bind-arguments.js";
export { makeExample } from "./make-example.js";
export { renderOutline } from "./outline.js";
export { describePurposes, isDeprecated, readReturns } from "./read-description.js";
export { dropFailures } from "./shapes/drop-failures.js";
export { joinShapes } from "./shapes/join-shapes.js";
export { type LearnableAnswer, learnShape } from "./shapes/learn-shape.js";
export { readAnswer } from "./shapes/read-answer.js";
export { shapeToSchema, toLearnedResult } from "./shapes/shape-to-schema.js";
export { openShapeTracker, type ShapeTracker } from "./shapes/shape-tracker.js";
export { simulateAnswer, simulatedMark } from "./simulate/simulate-answer.js";
export { toFinder, toServerCatalog } from "./to-server-catalog.js";
export { validateArguments } from "./validate-arguments.js";
