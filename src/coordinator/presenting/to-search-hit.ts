// Renders one search hit in one language.
import { makeExample, readReturns } from "../../catalog/index.js";
import {
  renderCall,
  renderDeclaration,
  renderImportLine,
  renderPythonCall,
  renderPythonDeclaration,
  renderPythonImport,
  renderPythonSignature,
  renderShortSignature,
  type SharedTypes,
} from "../../codegen/index.js";
import type { Language, ServerCatalog, Tool } from "../../contracts/index.js";
import { findPythonName } from "../checks/reach-servers.js";
import type { Host } from "../host/host.js";
import { toToolSummary } from "../servers/list-tools.js";
import type { SearchDetail, SearchHit } from "../servers/search-tools.js";

/** Maximum characters. Five hits are then about 400 tokens. */
const maxSignature = 200;
/** A longer example says less than the signature. */
const maxExample = 400;

interface HitOptions {
  readonly tool: Tool;
  readonly catalog: ServerCatalog;
  readonly language: Language;
  readonly detail: SearchDetail;
  /** Types that are printed once for several hits. */
  readonly shared?: SharedTypes | undefined;
  /** A folder that the server may use, for examples. */
  readonly folder?: string | undefined;
}

type HitText = Omit<SearchHit, "query" | "score" | "isWeak">;

const toResultFrom = ({ outputSchema, learned }: Tool): "declared" | "learned" | "unknown" => {
  if (outputSchema !== undefined) return "declared";
  return learned === undefined ? "unknown" : "learned";
};

const toName = ({ tool, catalog, language }: Pick<HitOptions, "tool" | "catalog" | "language">): string =>
  (language === "python" ? findPythonName(catalog, tool.name) : undefined) ?? tool.functionName;

/** The tool as a program writes it: `github.createIssue`, in Python `github.create_issue`. */
export const nameInProgram = ({ identifiers, catalogs }: Host, language: Language, tool: Tool): string => {
  const catalog = catalogs.get(tool.server);
  const identifier = identifiers.get(tool.server) ?? tool.server;
  return `${identifier}.${catalog === undefined ? tool.functionName : toName({ tool, catalog, language })}`;
};

const toSource = ({ tool, catalog, language, shared, folder }: HitOptions, name: string) => {
  const { identifier } = catalog;
  const example = makeExample(tool, folder);
  if (language === "python") {
    return {
      importLine: renderPythonImport({ identifier, functionName: name }),
      signature: renderPythonSignature({ tool, name, maxLength: maxSignature }),
      example: example && renderPythonCall({ name, arguments: example }),
      renderDeclaration: () => renderPythonDeclaration({ tool, functionName: name, shared }),
    };
  }
  return {
    importLine: renderImportLine({ tool, identifier }),
    signature: renderShortSignature({ tool, name, maxLength: maxSignature }),
    example: example && renderCall({ name, arguments: example }),
    renderDeclaration: () => renderDeclaration({ tool, identifier, shared }),
  };
};

/** `name`: the names only. `summary`: enough to write a call. `full`: also the whole declaration. */
export const toSearchHit = (options: HitOptions): HitText => {
  const { tool, catalog, detail } = options;
  const ownName = toName(options);
  const call = `${catalog.identifier}.${ownName}`;
  const { server, name, functionName } = tool;
  if (detail === "name") return { tool: { server, name, functionName }, call };
  const { importLine, signature, example, renderDeclaration: renderFull } = toSource(options, ownName);
  return {
    tool: toToolSummary(tool),
    call,
    importLine,
    signature,
    resultFrom: toResultFrom(tool),
    returns: toResultFrom(tool) === "unknown" ? readReturns(tool) : undefined,
    isDestructive: tool.isDestructive,
    effect: tool.effect,
    example: example === undefined || example.length > maxExample ? undefined : example,
    declaration: detail === "full" ? renderFull() : undefined,
  };
};
