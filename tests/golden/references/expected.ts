// Types of the server "references", generated: do not edit.

/** A node and what hangs below it */
export type SaveTreeNode = {
  value: SaveTreeValue;
  children?: SaveTreeNode[];
  byName?: { [key: string]: SaveTreeNode };
};

export type SaveTreeABPerson = {
  name?: string;
};

export type SaveTreeFilter = {
  and?: SaveTreeFilter[];
};

export type SaveTreeAnd = SaveTreeFilter;

export type SaveTreeValue = string | SaveTreeValues;

export type SaveTreeValues = SaveTreeValue[];

export type SaveTreeArguments = {
  root: SaveTreeNode;
  /** Used when the root is full */
  spare?: SaveTreeNode;
  owner?: SaveTreeABPerson;
  filter?: {
    and?: SaveTreeFilter[];
  };
  again?: SaveTreeAnd;
  self?: SaveTreeArguments;
};

export type SaveTreeResultNode = {
  id: string;
};

export type SaveTreeResult = {
  saved?: SaveTreeResultNode;
};

export declare function saveTree(args: SaveTreeArguments): Promise<SaveTreeResult>;
export { saveTree as save_tree };

export type SaveTreesArguments2 = {
  count?: number;
};

export type SaveTreesArguments = SaveTreesArguments2;

export declare function saveTrees(args?: SaveTreesArguments): Promise<unknown>;
export { saveTrees as save_trees };

declare const server: {
  readonly saveTree: typeof saveTree;
  readonly save_tree: typeof saveTree;
  readonly saveTrees: typeof saveTrees;
  readonly save_trees: typeof saveTrees;
};
export default server;
