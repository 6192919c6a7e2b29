// The built-in functions of every program (`memory.save`, `skills.list`), and the rule for their names and arguments.
import { type JsonObject, type JsonSchema, type Language, skillSchemas } from "../../contracts/index.js";
import { listFields } from "../../schema/index.js";
import { didYouMean, type Finding, quote } from "../check.js";
import { bindCall, bindInOrder } from "./bind-values.js";
import type { RuleContext } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import type { CallForm, MemberForm, Node } from "./tree.js";

interface BuiltInFunction {
  /** Its parameters in order. */
  readonly schema: JsonSchema;
  /** The host binds the arguments like those of a tool; otherwise the language binds them in order. */
  readonly isToolLike: boolean;
}

interface BuiltInFunctions {
  /** A global object → the names of its functions. */
  readonly objects: ReadonlyMap<string, readonly string[]>;
  /** By path: `memory.save`, `getState`. */
  readonly find: (path: string) => BuiltInFunction | undefined;
}

type Table = Readonly<Record<string, Readonly<Record<string, string>> | string>>;

const kinds: Readonly<Record<string, readonly string[]>> = {
  text: ["string"],
  list: ["array"],
  object: ["object"],
};

/** `key:text metadata?:object` → a schema. Optional parameters may also be null, unless the kind ends with "!". */
const toSchema = (written: string): JsonObject => {
  const parameters = written.split(" ").filter((part) => part !== "");
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    const [head = "", kind = ""] = parameter.split(":");
    const isOptional = head.endsWith("?");
    const name = isOptional ? head.slice(0, -1) : head;
    const types = kinds[kind.replace("!", "")] ?? [];
    const all = isOptional && !kind.endsWith("!") ? [...types, "null"] : types;
    properties[name] = types.length === 0 ? {} : { type: all };
    if (!isOptional) required.push(name);
  }
  return { type: "object", properties, required, additionalProperties: false };
};

const memory = {
  save: "key:text value metadata?:object",
  update: "key:text change",
  delete: "key:text",
  list: "prefix?:text",
  exists: "key:text",
  info: "key:text",
};

/** Covers only what literals can show; bytes and path objects are never literals. */
const tables: Readonly<Record<Language, Table>> = {
  typescript: {
    memory: { ...memory, load: "key:text fallback?" },
    workspace: {
      readText: "path:text",
      writeText: "path:text text:text",
      appendText: "path:text text:text",
      readJson: "path:text",
      writeJson: "path:text value",
      readCsv: "path:text",
      writeCsv: "path:text rows:list",
      list: "path?:text! options?",
      exists: "path:text",
      delete: "path:text options?",
    },
    fs: {
      readFile: "path:text options?",
      writeFile: "path:text data:text options?",
      appendFile: "path:text data:text options?",
      readdir: "path:text options?",
      stat: "path:text options?",
      lstat: "path:text options?",
      access: "path:text mode?",
      mkdir: "path:text options?",
      rm: "path:text options?",
      rmdir: "path:text options?",
      unlink: "path:text",
      rename: "from:text to:text",
      copyFile: "from:text to:text mode?",
    },
    getState: "name?:text",
    saveState: "value name?:text",
  },
  // Any value can be a path there, because `str` is applied to it.
  python: {
    memory: { ...memory, load: "key:text default?" },
    workspace: {
      read_text: "path",
      write_text: "path text:text",
      append_text: "path text:text",
      read_json: "path",
      write_json: "path value",
      read_csv: "path",
      write_csv: "path rows",
      list: "path? recursive?",
      exists: "path",
      delete: "path recursive?",
      get_state: "name?:text",
      save_state: "value name?:text",
    },
    get_state: "name?:text",
    save_state: "value name?:text",
    save_memory: memory.save,
    load_memory: "key:text default?",
    update_memory: memory.update,
    delete_memory: memory.delete,
    list_memories: memory.list,
    memory_exists: memory.exists,
    get_memory_info: memory.info,
  },
};

const open = (table: Table): BuiltInFunctions => {
  const functions = new Map<string, BuiltInFunction>(
    [...skillSchemas].map(([name, schema]) => [`skills.${name}`, { schema, isToolLike: true }]),
  );
  const objects = new Map<string, readonly string[]>([["skills", [...skillSchemas.keys()]]]);
  for (const [name, held] of Object.entries(table)) {
    if (typeof held === "string") functions.set(name, { schema: toSchema(held), isToolLike: false });
    else {
      objects.set(name, Object.keys(held));
      for (const [member, written] of Object.entries(held))
        functions.set(`${name}.${member}`, { schema: toSchema(written), isToolLike: false });
    }
  }
  return { objects, find: (path) => functions.get(path) };
};

export const builtInFunctions: Readonly<Record<Language, BuiltInFunctions>> = {
  typescript: open(tables.typescript),
  python: open(tables.python),
};

/** The names of the parameters, in order. */
export const listParameters = (schema: JsonSchema): readonly string[] =>
  listFields(schema).map(({ name }) => name);

/** `memory.save(key, value, metadata?)`. */
const showBuiltIn = (path: string, { schema }: BuiltInFunction): string => {
  const names = listFields(schema).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  return `${path}(${names.join(", ")})`;
};

const maxFindings = 100;

export const checkBuiltIns = (context: RuleContext): readonly Finding[] => {
  const { tree, request } = context;
  // An earlier program of the session may have declared the name.
  const severity = request.isSession ? "warning" : "error";
  const findings: Finding[] = [];
  for (const node of tree.nodes()) {
    if (findings.length >= maxFindings) break;
    const form = tree.read(node);
    const found =
      form.kind === "member"
        ? checkMember(context, node, form)
        : form.kind === "call"
          ? checkCall(context, node, form)
          : [];
    findings.push(...found.map((finding) => ({ ...finding, severity }) as const));
  }
  return findings;
};

/** The object has no such function: suggest the nearest ones and list them all. */
const checkMember = (
  context: RuleContext,
  node: Node,
  { object: owner, key: member, keyStart: offset, isIndex }: MemberForm,
): readonly Finding[] => {
  const { request, dialect } = context;
  const object = member === undefined || isIndex ? undefined : readPath(context, owner);
  const names = object === undefined ? undefined : builtInFunctions[dialect.language].objects.get(object);
  if (object === undefined || member === undefined || names === undefined || names.includes(member))
    return [];
  if (dialect.hasOtherMember(context, object, member) || context.isProbed(node)) return [];
  const near = request.nearestNames(member, names).map((name) => `${object}.${name}`);
  return [
    {
      severity: "error",
      code: "NAME_UNKNOWN",
      offset,
      message: `Cannot use ${quote(`${object}.${member}`)}: there is no such function${didYouMean(near)}`,
      hint: `Available: ${names.map((name) => `${object}.${name}`).join(", ")}`,
    },
  ];
};

const checkCall = (context: RuleContext, node: Node, call: CallForm): readonly Finding[] => {
  const { tree, dialect, request } = context;
  const path = readPath(context, call.callee);
  const found = path === undefined ? undefined : builtInFunctions[dialect.language].find(path);
  if (path === undefined || found === undefined || context.isProbed(node)) return [];
  const { schema } = found;
  return findArgumentProblems({
    nearestNames: request.nearestNames,
    name: path,
    toSignature: () => showBuiltIn(path, found),
    schema,
    bound: found.isToolLike
      ? bindCall(tree, schema, { ...call, node })
      : bindInOrder(tree, listParameters(schema), { ...call, node }, dialect),
    wanted: dialect.arguments,
  });
};

/** The path of a built-in function (`memory.save`), however it is written; undefined if it is not one. */
const readPath = (context: RuleContext, node: Node): string | undefined => {
  const { tree, known, request, dialect } = context;
  const form = tree.read(node);
  if (form.kind === "member") {
    const object = form.key === undefined || form.isIndex ? undefined : readPath(context, form.object);
    return object === undefined ? undefined : dialect.joinPath(object, form.key ?? "");
  }
  if (form.kind !== "name") return undefined;
  const binding = tree.lookUp(node);
  if (binding !== undefined)
    return binding.origin?.kind === "import" ? dialect.readBuiltInImport(context, binding.origin) : undefined;
  const isOurs = !known.isGlobal(form.name) && request.declared?.includes(form.name) !== true;
  return isOurs ? form.name : undefined;
};
