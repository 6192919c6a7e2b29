// Codegen's job: tools become source, for people and models to read, for the checker to check, for guests to import.
export { assignFunctionNames, toPackageNames, toPythonAliases } from "./python/python-names.js";
export { type AnswerStyle, renderCallModule } from "./python/render-call-module.js";
export { renderPythonCall } from "./python/render-python-call.js";
export { renderPythonDeclaration } from "./python/render-python-declaration.js";
export { renderPythonImport } from "./python/render-python-import.js";
export { type PythonModule, renderPythonModule } from "./python/render-python-module.js";
export { renderPythonSignature } from "./python/render-usage.js";
export { generatedMarker, type LibraryTree, type ServerEntry } from "./tree/generated-file.js";
export {
  planLibraryTree,
  planServerTree,
  planToolFile,
  planTopFiles,
} from "./tree/plan-library-tree.js";
export type { Fallback } from "./type-tree/type-node.js";
export { renderCall } from "./typescript/render-call.js";
export { renderDeclaration } from "./typescript/render-declarations.js";
export { renderImportLine } from "./typescript/render-import-line.js";
export {
  renderServerDeclarations,
  type ServerDeclarations,
} from "./typescript/render-server-declarations.js";
export { renderShortSignature, renderSignature } from "./typescript/render-usage.js";
export { listToolsName, writeLibraryModule, writeToolModule } from "./typescript/write-modules.js";
export { wholePath, writeWholeModule } from "./typescript/write-whole-module.js";
export { writeWorkspaceModule } from "./typescript/write-workspace-module.js";
