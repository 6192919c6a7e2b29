// Types of the server "everyday", generated: do not edit.

export type CreateIssueArguments = {
  /** Owner of the repository */
  owner: string;
  repo: string;
  title: string;
  /** Items: at most 10. */
  labels?: string[];
  /**
   * How urgent it is
   * Default: "low".
   */
  priority?: "low" | "high";
  /** Format: date-time. */
  due?: string;
  /** Range: 1 to 5. */
  weight?: number;
  /** Who does it */
  assignee?: {
    login: string;
    /** Default: true. */
    notify?: boolean;
  };
};

export type CreateIssueResult = {
  number: number;
  /**
   * Where it can be read
   * Format: uri.
   */
  url?: string;
  /** Default: "open". */
  state: "open" | "closed";
};

/**
 * Create an issue in a repository.
 *
 * Labels that do not exist are created.
 */
export declare function createIssue(args: CreateIssueArguments): Promise<CreateIssueResult>;
export { createIssue as create_issue };

export type PingArguments = { [key: string]: never };

export declare function ping(args?: PingArguments): Promise<unknown>;

export type CallAnythingArguments = { [key: string]: unknown };

export declare function callAnything(args?: CallAnythingArguments): Promise<unknown>;
export { callAnything as call_anything };

declare const server: {
  readonly createIssue: typeof createIssue;
  readonly create_issue: typeof createIssue;
  readonly ping: typeof ping;
  readonly callAnything: typeof callAnything;
  readonly call_anything: typeof callAnything;
};
export default server;
