// Walks a program once: declares its names and records every use and each node's parent.
import { type IdentifierReference, type ImportDeclaration, type Node, visitorKeys } from "oxc-parser";
import type { Binding, BindingKind, Reference } from "./read-syntax.js";

interface Scope {
  readonly parent: Scope | undefined;
  /** `var` declares here. */
  readonly isFunction: boolean;
  readonly names: Map<string, Binding>;
}

interface CollectedNames {
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly imports: readonly ImportDeclaration[];
  readonly calls: readonly Node[];
  readonly parents: ReadonlyMap<Node, Node>;
}

/** Type nodes that contain expressions. All others are erased before a program runs. */
const typedExpressions = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSExportAssignment",
  "TSModuleBlock",
  "TSEnumBody",
]);

const blocks = new Set([
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "StaticBlock",
  "TSModuleBlock",
]);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** The direct children of a node, in source order. */
const childrenOf = (node: Node): readonly Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => {
    const held = (node as unknown as Record<string, unknown>)[key];
    return Array.isArray(held) ? held.filter(isNode) : isNode(held) ? [held] : [];
  });

export const collectNames = (program: Node): CollectedNames => {
  const parents = new Map<Node, Node>();
  const bindings: Binding[] = [];
  const imports: ImportDeclaration[] = [];
  const calls: Node[] = [];
  const uses: { node: IdentifierReference; scope: Scope }[] = [];

  const open = (parent: Scope | undefined, isFunction: boolean): Scope => ({
    parent,
    isFunction,
    names: new Map(),
  });

  const bind = (scope: Scope, name: string, binding: Omit<Binding, "name" | "references">): void => {
    if (scope.names.has(name)) return;
    const made: Binding = { name, references: [], ...binding };
    scope.names.set(name, made);
    bindings.push(made);
  };

  const bindPattern = (
    node: Node,
    scope: Scope,
    inner: Scope,
    kind: BindingKind,
    declaration: Node,
  ): void => {
    const into = (child: Node): void => {
      parents.set(child, node);
      bindPattern(child, scope, inner, kind, declaration);
    };
    switch (node.type) {
      case "Identifier":
        bind(scope, node.name, { kind, node, declaration });
        break;
      case "ObjectPattern":
        for (const property of node.properties) into(property);
        break;
      case "Property":
        if (node.computed) visit(node.key, inner, node);
        into(node.value);
        break;
      case "ArrayPattern":
        for (const element of node.elements) if (element !== null) into(element);
        break;
      case "AssignmentPattern":
        into(node.left);
        visit(node.right, inner, node);
        break;
      case "RestElement":
        into(node.argument);
        break;
      case "TSParameterProperty":
        into(node.parameter);
        break;
    }
  };

  const nearestFunction = (scope: Scope): Scope =>
    scope.isFunction || scope.parent === undefined ? scope : nearestFunction(scope.parent);

  const visitAll = (nodes: readonly (Node | null | undefined)[], scope: Scope, parent: Node): void => {
    for (const node of nodes) if (node != null) visit(node, scope, parent);
  };

  const visitFunction = (node: Node, scope: Scope): void => {
    if (!("params" in node) || !Array.isArray(node.params)) return;
    const inner = open(scope, true);
    if (node.type === "FunctionExpression" && node.id !== null)
      bind(inner, node.id.name, { kind: "function", node: node.id, declaration: node });
    if (node.type !== "ArrowFunctionExpression")
      bind(inner, "arguments", { kind: "other", node, declaration: node });
    for (const parameter of node.params as readonly Node[]) {
      parents.set(parameter, node);
      bindPattern(parameter, inner, inner, "parameter", node);
    }
    const { body } = node as unknown as { body: Node | null };
    if (body === null) return;
    parents.set(body, node);
    if (body.type === "BlockStatement") visitAll(body.body, inner, body);
    else visit(body, inner, node);
  };

  const visitImport = (node: ImportDeclaration, scope: Scope): void => {
    imports.push(node);
    for (const specifier of node.specifiers) {
      const { name } = specifier.local;
      parents.set(specifier, node);
      bind(scope, name, { kind: "import", node: specifier.local, declaration: specifier });
    }
  };

  const visit = (node: Node, scope: Scope, parent: Node): void => {
    parents.set(node, parent);
    switch (node.type) {
      case "Identifier":
        uses.push({ node: node as IdentifierReference, scope });
        return;
      case "ImportDeclaration":
        visitImport(node, scope);
        return;
      case "VariableDeclaration": {
        const kind = node.kind === "var" || node.kind === "let" ? node.kind : "const";
        const target = kind === "var" ? nearestFunction(scope) : scope;
        for (const declarator of node.declarations) {
          parents.set(declarator, node);
          parents.set(declarator.id, declarator);
          bindPattern(declarator.id, target, scope, kind, declarator);
          if (declarator.init !== null) visit(declarator.init, scope, declarator);
        }
        return;
      }
      case "FunctionDeclaration":
      case "TSDeclareFunction":
        if (node.id != null)
          bind(scope, node.id.name, { kind: "function", node: node.id, declaration: node });
        if (node.type === "FunctionDeclaration") visitFunction(node, scope);
        return;
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        visitFunction(node, scope);
        return;
      case "ClassDeclaration":
      case "ClassExpression": {
        const inner = open(scope, false);
        const target = node.type === "ClassDeclaration" ? scope : inner;
        if (node.id != null) bind(target, node.id.name, { kind: "class", node: node.id, declaration: node });
        visitAll([node.superClass, node.body, ...node.decorators], inner, node);
        return;
      }
      case "MethodDefinition":
      case "PropertyDefinition":
      case "AccessorProperty":
      case "Property":
        if (node.computed) visit(node.key as Node, scope, node);
        if (node.value != null) visit(node.value, scope, node);
        return;
      case "MemberExpression":
        visit(node.object, scope, node);
        if (node.computed) visit(node.property, scope, node);
        return;
      case "CatchClause": {
        const inner = open(scope, false);
        if (node.param !== null) {
          parents.set(node.param, node);
          bindPattern(node.param, inner, inner, "other", node);
        }
        visitAll([node.body], inner, node);
        return;
      }
      case "LabeledStatement":
        visit(node.body, scope, node);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ExportAllDeclaration":
        return;
      case "ExportNamedDeclaration":
        if (node.declaration !== null) visit(node.declaration, scope, node);
        else if (node.source === null && node.exportKind !== "type")
          for (const { local } of node.specifiers) if (local.type === "Identifier") visit(local, scope, node);
        return;
      case "TSEnumDeclaration": {
        bind(scope, node.id.name, { kind: "other", node: node.id, declaration: node });
        const inner = open(scope, false);
        for (const member of node.body.members) {
          if (member.id.type === "Identifier")
            bind(inner, member.id.name, { kind: "other", node: member.id, declaration: node });
        }
        for (const member of node.body.members)
          if (member.initializer !== null) visit(member.initializer, inner, member);
        return;
      }
      case "TSModuleDeclaration":
        if (node.id.type === "Identifier")
          bind(scope, node.id.name, { kind: "other", node: node.id, declaration: node });
        if (node.body != null && !node.declare) visit(node.body as Node, scope, node);
        return;
      case "TSImportEqualsDeclaration":
        bind(scope, node.id.name, { kind: "other", node: node.id, declaration: node });
        return;
    }
    if (node.type.startsWith("TS") && !typedExpressions.has(node.type)) return;
    if (node.type === "CallExpression" || node.type === "NewExpression" || node.type === "ImportExpression")
      calls.push(node);
    visitAll(childrenOf(node), blocks.has(node.type) ? open(scope, false) : scope, node);
  };

  const root = open(undefined, true);
  for (const node of childrenOf(program)) visit(node, root, program);

  const lookUp = (name: string, scope: Scope | undefined): Binding | undefined =>
    scope === undefined ? undefined : (scope.names.get(name) ?? lookUp(name, scope.parent));
  const references = uses.map(({ node, scope }) => {
    const reference: Reference = { node, name: node.name, binding: lookUp(node.name, scope) };
    reference.binding?.references.push(reference);
    return reference;
  });
  return { references, bindings, imports, calls, parents };
};
