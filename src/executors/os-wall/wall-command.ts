// A command line, before or after a wall was put around it.
export interface WallCommand {
  readonly command: string;
  readonly args: readonly string[];
}
