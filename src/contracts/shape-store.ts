// Shapes: what was learned about a tool's answers, stored between starts.

export type ShapeScalar = "null" | "boolean" | "integer" | "number" | "string";

export interface ShapeField {
  readonly type: ShapeNode;
  /** Missing in an object that was seen in full. */
  readonly isOptional?: true | undefined;
}

/** All kinds of values seen at one position. It contains no value, only kinds. */
export interface ShapeNode {
  readonly scalars?: readonly ShapeScalar[] | undefined;
  /** An object whose keys are names. */
  readonly fields?: Readonly<Record<string, ShapeField>> | undefined;
  /** The object was never seen in full, so it may have other fields. */
  readonly isOpen?: true | undefined;
  /** An object whose keys are data: the shape of its values. */
  readonly values?: ShapeNode | undefined;
  /** A list: the shape of its items. Empty if only empty lists were seen. */
  readonly items?: ShapeNode | undefined;
  /** Too deep or too large to store. */
  readonly isUnknown?: true | undefined;
}

/** A result type learned from real answers. */
export interface Shape {
  /** The number of answers it is based on. */
  readonly answers: number;
  readonly type: ShapeNode;
}

/** The tool of a shape. A different fingerprint is a different tool. */
export interface ShapeKey {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint: string;
}

/** A shape with its tool, as people exchange it. */
export interface SharedShape extends ShapeKey, Shape {}

/** Shapes by tool. A shape that cannot be read is absent; one that cannot be written is lost, and learned again. */
export interface ShapeStore {
  readonly read: (key: ShapeKey) => Promise<Shape | undefined>;
  /** The shapes of a server's tools, including those that it no longer lists. */
  readonly list: (server: string) => Promise<readonly SharedShape[]>;
  /** Adds what this process learned since its last write to the stored shape, and returns the sum. */
  readonly merge: (key: ShapeKey, learned: Shape) => Promise<Shape>;
  /** Forgets the shapes of a server's tools that are no longer listed unchanged. */
  readonly keepOnly: (
    server: string,
    tools: readonly { readonly name: string; readonly fingerprint: string }[],
  ) => Promise<void>;
}
