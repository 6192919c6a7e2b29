// Opens an address in the person's browser, without a shell: a server's issuer wrote the address.
import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens an address; undefined if there is no screen to show it on. */
const findOpener = (
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [command: string, ...args: string[]] | undefined => {
  if (environment.BROWSER === "none" || environment.SSH_CONNECTION) return undefined;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
};

/** Tries to open an http or https address. False if nothing was started; the person then opens it by hand. */
export const openPage = async (url: string): Promise<boolean> => {
  const opener = findOpener(process.platform, process.env);
  if (opener === undefined || !/^https?:\/\/[!-~]+$/.test(url)) return false;
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
};
