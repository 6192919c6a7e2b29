// What was learned of a tool's answers, and where it is kept between starts.

export type ShapeScalar = "null" | "boolean" | "integer" | "number" | "string";

export interface ShapeField {
  readonly type: ShapeNode;
  /** Missing in an object that was seen in full. */
  readonly isOptional?: true | undefined;
}

/** Everything that was seen at one place. Nothing of a value is in it, only of what kind it was. */
export interface ShapeNode {
  readonly scalars?: readonly ShapeScalar[] | undefined;
  /** An object whose keys are names. */
  readonly fields?: Readonly<Record<string, ShapeField>> | undefined;
  /** The object was never seen in full: it may have other fields. */
  readonly isOpen?: true | undefined;
  /** An object whose keys are data: what its values are. */
  readonly values?: ShapeNode | undefined;
  /** A list: what its items are. Nothing in it when only empty lists were seen. */
  readonly items?: ShapeNode | undefined;
  /** Too deep or too large to be kept. */
  readonly isUnknown?: true | undefined;
}

/** A result type learned from real answers. */
export interface Shape {
  /** How many answers it rests on. */
  readonly answers: number;
  readonly type: ShapeNode;
}

/** Which tool a shape is of: another fingerprint is another tool. */
export interface ShapeKey {
  readonly server: string;
  readonly tool: string;
  readonly fingerprint: string;
}

/** Shapes by tool. What it cannot read is not there; what it cannot write is lost, and learned again. */
export interface ShapeStore {
  readonly read: (key: ShapeKey) => Promise<Shape | undefined>;
  /** Adds what this process learned since its last write to what is kept; returns both together. */
  readonly merge: (key: ShapeKey, learned: Shape) => Promise<Shape>;
  /** Forgets the shapes of a server's tools that are no longer listed as they were. */
  readonly keepOnly: (
    server: string,
    tools: readonly { readonly name: string; readonly fingerprint: string }[],
  ) => Promise<void>;
}
