// The catalog: a server's listing → Tool records with safe names; a call's values → validated arguments.

export {
  assignNames,
  findOwner,
  fitsTemplate,
  qualifyAddress,
  qualifyName,
  toServerIdentifiers,
} from "./assign-identifiers.js";
export { bindArguments, omitNulls, validateArguments } from "./bind-arguments.js";
export { makeExample } from "./make-example.js";
export { describePurposes, isDeprecated, readReturns, renderOutline } from "./outline.js";
export { comparePins, listPinned, type PinnedItem, pinAll, withholdItems } from "./pin-tools.js";
export { dropFailures, joinShapes, toLearnedResult } from "./shapes/join-shapes.js";
export { openShapeTracker, readAnswer, type ShapeTracker } from "./shapes/shape-tracker.js";
export { simulateAnswer } from "./simulate/simulate-answer.js";
export { toFinder, toOfferedTools, toServerCatalog } from "./to-server-catalog.js";
