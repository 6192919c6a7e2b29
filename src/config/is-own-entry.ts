// Tells whether an entry would start mcp-coordinator itself, which would then start itself again.

// The package, its command or its file, after a path, a scope or "npm:", with or without "@version".
const ownName = /(?:^|[\\/:])mcp-coordinator(?:@[^\\/]{1,200})?(?:\.(?:mjs|js|ts|cmd|exe|ps1))?$/i;
const shellCommandFlag = /^(?:-\w*c|\/c)$/i;

export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder that happens to have our name is data for another server, not a program. */
  readonly isFolder: (path: string) => boolean;
}

export const isOwnEntry = ({ command, args, isFolder }: Invocation): boolean =>
  [command, ...args]
    .flatMap((word, index, words) =>
      shellCommandFlag.test(words[index - 1] ?? "") ? word.split(/[\s"']+/) : [word],
    )
    .map((word) => word.replace(/^--?[\w-]+=/, ""))
    .some((word) => ownName.test(word) && !/^https?:/i.test(word) && !(/[\\/]/.test(word) && isFolder(word)));
