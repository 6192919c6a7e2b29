// Types of the server "crowded", generated: do not edit.

export type GetUser3NameArguments = string;

export type GetUser3Arguments = {
  a?: GetUser3NameArguments;
};

export declare function getUser3(args?: GetUser3Arguments): Promise<unknown>;
export { getUser3 as get_user };

export type GetUserNameArguments = {
  id: string;
};

export declare function getUserName(args: GetUserNameArguments): Promise<unknown>;
export { getUserName as get_user_name };

export type GetUserArguments = { [key: string]: never };

export type GetUserResultX = string;

export type GetUserResultX2 = number;

export type GetUserResult = {
  a?: GetUserResultX;
  b?: GetUserResultX2;
};

export declare function getUser(args?: GetUserArguments): Promise<GetUserResult>;

export type GetUser2Arguments = { [key: string]: never };

export declare function getUser2(args?: GetUser2Arguments): Promise<unknown>;
export { getUser2 as get_user2 };

declare const server: {
  readonly getUser3: typeof getUser3;
  readonly get_user: typeof getUser3;
  readonly getUserName: typeof getUserName;
  readonly get_user_name: typeof getUserName;
  readonly getUser: typeof getUser;
  readonly getUser2: typeof getUser2;
  readonly get_user2: typeof getUser2;
};
export default server;
