// Describes a type error so that it can be fixed: the nearest names, the available fields, the signature.
import type { Node } from "oxc-parser";
import type { DiagnosticCode, Finding } from "../../check.js";
import { quote, quoteList, show } from "../../diagnostics.js";
import { nameTool, showSignature } from "../../rules/context.js";
import type { ToolCall } from "../../rules/find-tool-uses.js";
import type { Context } from "../dialect.js";
import { isFunction, readKey, unwrap } from "../read-node.js";
import type { Suspicion, TypedContext } from "./judge-message.js";
import { listTypeFields } from "./printed-types.js";

const codes: Readonly<Record<Suspicion["kind"], DiagnosticCode>> = {
  field: "FIELD_UNKNOWN",
  await: "AWAIT_MISSING",
  call: "NOT_CALLABLE",
  iterate: "NOT_ITERABLE",
  compare: "VALUE_IMPOSSIBLE",
  argument: "ARGUMENT_WRONG",
  "tool-member": "NOT_CALLABLE",
};

const maxFields = 24;

export const describeSuspicion = (
  context: TypedContext,
  suspicion: Suspicion,
  severity: Finding["severity"],
): Finding => {
  const { kind, offset } = suspicion;
  return { severity, code: codes[kind], offset, ...describers[kind](context, suspicion) };
};

/** A field that an open schema does not declare. It may exist anyway. */
export const describeUndeclared = (context: TypedContext, suspicion: Suspicion): Finding => {
  const { message, ...finding } = describeSuspicion(context, suspicion, "warning");
  return { ...finding, message: message.replace("there is no such field", undeclared) };
};

const undeclared = "the server declares no such field";

type Described = Pick<Finding, "message" | "hint">;

const textOf = ({ syntax }: TypedContext, { node, offset }: Suspicion): string =>
  node === undefined
    ? (/^[\w$.]+/.exec(syntax.text.slice(offset))?.[0] ?? "the value")
    : show(syntax.text.slice(node.start, node.end).replace(/\s+/g, " "), 60);

/** The tool that returned the value, in words and as a signature. */
const findOrigin = (
  context: TypedContext,
  { node }: Suspicion,
): { readonly name: string; readonly signature: string } | undefined => {
  const call = node === undefined ? undefined : findSourceTool(context, node);
  if (call === undefined) return undefined;
  return {
    name: nameTool(call.server, call.tool),
    signature: showSignature(context, call.server, call.tool),
  };
};

const describeField = (context: TypedContext, suspicion: Suspicion): Described => {
  const { name, type } = suspicion;
  const { request } = context;
  const list = /^([\s\S]*)\[\]$/.exec(type)?.[1];
  const fields = listTypeFields(list ?? type, context.declarations);
  const near = list === undefined ? request.nearestNames(name, fields) : [];
  const origin = findOrigin(context, suspicion);
  const of = origin === undefined ? "" : ` in the result of ${quote(origin.name)}`;
  const reason =
    list === undefined
      ? `there is no such field${of}${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`
      : `it is an array${of}, ${fields.includes(name) ? `its items have ${quote(name)}` : "look at its items"}`;
  const shown = fields.slice(0, maxFields).map((field) => show(field, 40));
  const has =
    shown.length > 0
      ? `${list === undefined ? "Fields" : "Fields of its items"}: ${shown.join(", ")}${fields.length > shown.length ? ", …" : ""}`
      : undefined;
  const hint = [has, origin?.signature].filter((part) => part !== undefined).join("\n");
  return {
    message: `Cannot read ${quote(name)} of ${quote(textOf(context, suspicion))}: ${reason}`,
    ...(hint === "" ? {} : { hint }),
  };
};

const describeAwait = (context: TypedContext, suspicion: Suspicion): Described => {
  const used = textOf(context, suspicion);
  const origin = findOrigin(context, suspicion);
  const wanted = suspicion.name === "" ? "as a value" : `to read ${quote(suspicion.name, 40)}`;
  return {
    message: `Cannot use ${quote(used)} ${wanted}: it is a promise, an "await" is missing${origin === undefined ? "" : ` before ${quote(`${origin.name}(…)`)}`}`,
    hint: `Write (await ${used})`,
  };
};

const withSignature = (message: string, context: TypedContext, suspicion: Suspicion): Described => {
  const origin = findOrigin(context, suspicion);
  return origin === undefined ? { message } : { message, hint: origin.signature };
};

const describers: Readonly<
  Record<Suspicion["kind"], (context: TypedContext, suspicion: Suspicion) => Described>
> = {
  field: describeField,
  await: describeAwait,
  call: (context, suspicion) =>
    withSignature(
      `Cannot call ${quote(textOf(context, suspicion))}: it is ${show(suspicion.type, 60)}, not a function`,
      context,
      suspicion,
    ),
  iterate: (context, suspicion) => {
    const fields = listTypeFields(suspicion.type, context.declarations);
    return {
      message: `Cannot iterate over ${quote(textOf(context, suspicion))}: it is ${suspicion.type.startsWith("{") || fields.length > 0 ? "an object" : show(suspicion.type, 60)}`,
      ...(fields.length > 0 ? { hint: `Fields: ${fields.slice(0, maxFields).join(", ")}` } : {}),
    };
  },
  compare: (_context, { type, name }) => ({
    message: `Comparing ${show(type, 120)} with ${show(name, 60)} is never true: the server declares other values`,
  }),
  argument: (context, { offset, node, type, name }) => {
    const { syntax, uses } = context;
    const call = uses.calls.find(({ values }) =>
      values.some(({ start, end }) => start <= offset && offset < end),
    );
    const holder = node === undefined ? undefined : syntax.parentOf(node);
    const key = holder?.type === "Property" ? readKey(holder) : undefined;
    const what = key === undefined ? "an argument" : `argument ${quote(key)}`;
    const wrong = `${what} is ${show(type, 60)}, expected ${show(name, 160)}`;
    return call === undefined
      ? { message: `Cannot call the tool: ${wrong}` }
      : {
          message: `Cannot call ${quote(nameTool(call.server, call.tool))}: ${wrong}`,
          hint: showSignature(context, call.server, call.tool),
        };
  },
  "tool-member": (context, suspicion) => ({
    message: `Cannot read ${quote(suspicion.name)} of ${quote(textOf(context, suspicion))}: it is a tool, call it`,
    hint: `Write (await ${textOf(context, suspicion)}({ … })).${show(suspicion.name, 40)}`,
  }),
};

const maxDepth = 20;

/** The call behind an expression, followed through variables, fields, loops and callbacks; undefined if it is not obvious. */
const findSourceTool = (context: Context, start: Node, depth = 0): ToolCall | undefined => {
  if (depth > maxDepth) return undefined;
  const { syntax, uses } = context;
  const follow = (node: Node | null | undefined): ToolCall | undefined =>
    node == null ? undefined : findSourceTool(context, node, depth + 1);
  const node = unwrap(start);
  switch (node.type) {
    case "AwaitExpression":
      return follow(node.argument);
    case "MemberExpression":
      return follow(node.object);
    case "LogicalExpression":
      return follow(node.left);
    case "CallExpression":
      return uses.callOf(node) ?? follow(node.callee);
    case "Identifier": {
      const binding = syntax.bindingOf(node);
      if (binding === undefined) return undefined;
      const { declaration } = binding;
      if (declaration.type === "VariableDeclarator") {
        const holder = syntax.parentOf(declaration);
        const loop = holder === undefined ? undefined : syntax.parentOf(holder);
        return follow(declaration.init ?? (loop?.type === "ForOfStatement" ? loop.right : undefined));
      }
      // A callback's parameter is an item of the list that the method was called on.
      const call = isFunction(declaration) ? syntax.parentOf(declaration) : undefined;
      return call?.type === "CallExpression" && call.callee !== declaration ? follow(call.callee) : undefined;
    }
    default:
      return undefined;
  }
};
