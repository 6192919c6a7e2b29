// Walks a program once and records each node's parent and the scope in which each name is bound or used.
import {
  childrenOf,
  type Expression,
  type Import,
  type ImportedName,
  type Name,
  type PythonNode,
  type Statement,
} from "./syntax/node.js";

/** One place that binds a name. */
export interface Site {
  readonly kind: "assign" | "item" | "import" | "function" | "other";
  readonly node: Name;
  /** The binding statement or clause. */
  readonly holder: PythonNode;
  readonly scope: Scope;
  /** For "assign" the value, for "item" the iterated value. */
  readonly value?: Expression | undefined;
  /** Index path into a destructured value; undefined for a starred or unknown one. */
  readonly path?: readonly (number | undefined)[] | undefined;
  readonly statement?: Import | undefined;
  readonly imported?: ImportedName | undefined;
}

export interface Binding {
  readonly name: string;
  readonly scope: Scope;
  readonly sites: Site[];
  readonly references: Reference[];
}

export interface Reference {
  readonly node: Name;
  readonly scope: Scope;
  /** Undefined if the program does not bind the name. */
  binding: Binding | undefined;
}

export interface Scope {
  readonly kind: "module" | "function" | "class" | "comprehension";
  readonly parent: Scope | undefined;
  readonly bindings: Map<string, Binding>;
  /** Names declared `global` or `nonlocal`. */
  readonly outer: Map<string, "global" | "nonlocal">;
}

/** A name bound more often than this is not treated as a constant. */
export const maxSites = 100;

/** A program as a tree with resolved names. */
export interface PythonSyntax {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly nodes: readonly PythonNode[];
  readonly references: readonly Reference[];
  readonly bindings: readonly Binding[];
  readonly parentOf: (node: PythonNode) => PythonNode | undefined;
  /** The name of a function. */
  readonly bindingOf: (definition: PythonNode) => Binding | undefined;
  readonly referenceOf: (node: PythonNode) => Reference | undefined;
}

type Path = readonly (number | undefined)[];

const openScope = (kind: Scope["kind"], parent?: Scope): Scope => ({
  kind,
  parent,
  bindings: new Map(),
  outer: new Map(),
});

const isScoped = ({ kind }: PythonNode): boolean =>
  kind === "function" || kind === "class" || kind === "lambda";

/** `global` and `nonlocal` apply to the whole body, wherever they appear. */
const readOuter = (scope: Scope, node: PythonNode): void => {
  for (const child of childrenOf(node)) {
    if (child.kind === "scope")
      for (const name of child.names) scope.outer.set(name, child.word === "global" ? "global" : "nonlocal");
    else if (!isScoped(child)) readOuter(scope, child);
  }
};

const moduleOf = (scope: Scope): Scope => (scope.parent === undefined ? scope : moduleOf(scope.parent));

/** The scopes visible to a use, from the inside out. Nested scopes do not see the names of a class. */
const findBinding = (start: Scope, name: string): Binding | undefined => {
  for (let scope: Scope | undefined = start; scope !== undefined; scope = scope.parent) {
    if (scope.outer.get(name) === "global") return moduleOf(scope).bindings.get(name);
    const found = scope.bindings.get(name);
    if (found !== undefined && (scope.kind !== "class" || scope === start)) return found;
  }
  return undefined;
};

/** The scope that binds a name assigned in another scope. */
const findHome = (start: Scope, name: string): Scope => {
  let scope = start;
  const word = scope.outer.get(name);
  if (word === "global") return moduleOf(scope);
  if (word === "nonlocal") {
    while (scope.parent !== undefined && (scope === start || !scope.bindings.has(name))) scope = scope.parent;
  }
  return scope;
};

export const collectNames = (text: string, statements: readonly Statement[]): PythonSyntax => {
  const top = openScope("module");
  const nodes: PythonNode[] = [];
  const parents = new Map<PythonNode, PythonNode>();
  const references = new Map<PythonNode, Reference>();
  const sites: Site[] = [];

  const bind = (scope: Scope, node: Name, holder: PythonNode, facts: Partial<Site> = {}): void => {
    // Inside a comprehension, `:=` binds in the enclosing scope.
    let home = scope;
    while (holder.kind === "assigning" && home.kind === "comprehension" && home.parent !== undefined)
      home = home.parent;
    sites.push({ kind: "other", node, holder, scope: home, ...facts });
  };

  /** Binds the names of a target. Anything that is not a name is visited as an expression. */
  const bindTarget = (
    scope: Scope,
    target: Expression,
    holder: PythonNode,
    facts: Partial<Site>,
    path: Path = [],
  ): void => {
    enter(target, holder);
    if (target.kind === "name") bind(scope, target, holder, { ...facts, path });
    else if (target.kind === "tuple" || target.kind === "list") {
      const starred = target.items.findIndex(({ kind }) => kind === "starred");
      for (const [index, item] of target.items.entries()) {
        const isKnown = starred < 0 || index < starred;
        bindTarget(scope, item, target, { ...facts, holder }, [...path, isKnown ? index : undefined]);
      }
    } else if (target.kind === "starred")
      bindTarget(scope, target.value, target, { ...facts, holder }, [...path.slice(0, -1), undefined]);
    else visitChildren(target, scope);
  };

  const enter = (node: PythonNode, parent: PythonNode | undefined): void => {
    nodes.push(node);
    if (parent !== undefined) parents.set(node, parent);
  };

  const visitChildren = (node: PythonNode, scope: Scope, left: readonly unknown[] = []): void => {
    for (const child of childrenOf(node)) if (!left.includes(child)) visit(child, scope, node);
  };

  const visit = (node: PythonNode, scope: Scope, parent?: PythonNode): void => {
    enter(node, parent);
    switch (node.kind) {
      case "name":
        references.set(node, { node, scope, binding: undefined });
        return;
      case "assign":
        for (const target of node.targets)
          bindTarget(
            scope,
            target,
            node,
            node.value === undefined ? {} : { kind: "assign", value: node.value },
          );
        if (node.value !== undefined) visit(node.value, scope, node);
        return;
      case "assigning":
        bindTarget(scope, node.target, node, { kind: "assign", value: node.value });
        visit(node.value, scope, node);
        return;
      case "update":
      case "delete":
        // An augmented assignment both uses and binds the name.
        visitChildren(node, scope);
        for (const target of node.kind === "update" ? [node.target] : node.targets)
          if (target.kind === "name") bind(scope, target, node);
        return;
      case "for":
        bindTarget(scope, node.target, node, { kind: "item", value: node.iterated });
        visitChildren(node, scope, [node.target]);
        return;
      case "with":
        for (const target of node.targets) bindTarget(scope, target, node, {});
        visitChildren(node, scope, node.targets);
        return;
      case "branch":
      case "while":
        for (const capture of node.captures) bind(scope, capture, node);
        visitChildren(node, scope, node.captures);
        return;
      case "simple":
        for (const name of node.binds) bind(scope, name, node);
        visitChildren(node, scope, node.binds);
        return;
      case "handler":
        if (node.name !== undefined) bind(scope, node.name, node);
        visitChildren(node, scope, [node.name]);
        return;
      case "import":
        for (const imported of node.names) {
          enter(imported, node);
          bind(scope, imported.bound, node, { kind: "import", statement: node, imported });
        }
        return;
      case "class": {
        bind(scope, node.name, node);
        const inner = openScope("class", scope);
        for (const block of node.blocks) readOuter(inner, block);
        visitChildren(node, scope, [node.name, ...node.blocks]);
        for (const block of node.blocks) visit(block, inner, node);
        return;
      }
      case "function":
      case "lambda": {
        const inner = openScope("function", scope);
        if (node.kind === "function") {
          bind(scope, node.name, node, { kind: "function" });
          for (const block of node.blocks) readOuter(inner, block);
          for (const name of node.typeParameters) bind(inner, name, node);
          for (const decorator of node.decorators) visit(decorator, scope, node);
        }
        for (const parameter of node.parameters) {
          enter(parameter, node);
          bind(inner, parameter.name, parameter);
          if (parameter.fallback !== undefined) visit(parameter.fallback, scope, parameter);
        }
        for (const body of node.kind === "function" ? node.blocks : [node.body]) visit(body, inner, node);
        return;
      }
      case "comprehension": {
        const inner = openScope("comprehension", scope);
        for (const [index, clause] of node.clauses.entries()) {
          enter(clause, node);
          // The first source is evaluated in the enclosing scope.
          visit(clause.iterated, index === 0 ? scope : inner, clause);
          bindTarget(inner, clause.target, clause, { kind: "item", value: clause.iterated });
          for (const condition of clause.conditions) visit(condition, inner, clause);
        }
        for (const element of node.elements) visit(element, inner, node);
        return;
      }
      default:
        visitChildren(node, scope);
    }
  };

  for (const statement of statements) visit(statement, top);

  const bindings = new Set<Binding>();
  const definitions = new Map<PythonNode, Binding>();
  const addSite = (site: Site, home: Scope): void => {
    const { name } = site.node;
    const binding = home.bindings.get(name) ?? { name, scope: home, sites: [], references: [] };
    home.bindings.set(name, binding);
    bindings.add(binding);
    binding.sites.push(site);
    if (site.kind === "function") definitions.set(site.holder, binding);
  };
  // `nonlocal` must find the names of the enclosing functions.
  const isOwn = (site: Site): boolean => !site.scope.outer.has(site.node.name);
  for (const site of sites.filter(isOwn)) addSite(site, site.scope);
  for (const site of sites.filter((one) => !isOwn(one))) addSite(site, findHome(site.scope, site.node.name));
  for (const reference of references.values()) {
    reference.binding = findBinding(reference.scope, reference.node.name);
    reference.binding?.references.push(reference);
  }
  return {
    text,
    statements,
    nodes,
    references: [...references.values()],
    bindings: [...bindings],
    parentOf: (node) => parents.get(node),
    bindingOf: (definition) => definitions.get(definition),
    referenceOf: (node) => references.get(node),
  };
};
