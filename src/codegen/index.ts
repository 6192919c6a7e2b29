// Codegen: Tool records → source that people and models read, the checker checks and guests import.
export { assignFunctionNames, toPackageNames, toPythonAliases } from "./python/python-names.js";
export {
  openSharedClasses,
  renderCallModule,
  renderPythonDeclaration,
  renderPythonModule,
} from "./python/render-module.js";
export {
  renderCall,
  renderImportLine,
  renderPythonCall,
  renderPythonImport,
  renderPythonResult,
  renderPythonSignature,
  renderResult,
  renderShortSignature,
  renderSignature,
} from "./render-usage.js";
export { generatedMarker, type LibraryPlace, type LibraryTree } from "./tree/generated-file.js";
export { planServerTree, planToolFile, planTopFiles } from "./tree/plan-library-tree.js";
export {
  openSharedTypes,
  renderDeclaration,
  renderServerDeclarations,
  type SharedTypes,
} from "./typescript/render-declarations.js";
export {
  listToolsName,
  serversPath,
  writeLibraryModule,
  writeServersModule,
  writeToolModule,
  writeWorkspaceModule,
} from "./typescript/write-modules.js";
