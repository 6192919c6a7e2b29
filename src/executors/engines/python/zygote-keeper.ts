// Keeps a zygote with certain libraries imported: started for the first guest, restarted if it died.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";
import type { GuestChannel } from "../../host/guest-channel.js";
import { toSocketPath, type WallCommand } from "./wall-command.js";
import { openZygoteChannel } from "./zygote-channel.js";
import { ZygoteProcess } from "./zygote-process.js";

export interface ZygoteKeeper {
  /** Requests a guest. The channel exists at once, the guest follows. */
  readonly openChannel: () => GuestChannel;
  readonly close: () => Promise<void>;
}

/** After this time without a guest, a zygote and its imported libraries are released. */
const idleMs = 60_000;

/** @param toCommand builds its command, with a socket in this folder. Rejects if it cannot be started */
export const keepZygote = (toCommand: (channelFolder: string) => Promise<WallCommand>): ZygoteKeeper => {
  let zygote: Promise<ZygoteProcess> | undefined;
  let channelFolder = "";
  let lastGuest = 0;
  let guests = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const removeFolder = (): void => rmSync(channelFolder, { recursive: true, force: true });

  const start = async (): Promise<ZygoteProcess> => {
    if (channelFolder === "") {
      channelFolder = mkdtempSync(join(tmpdir(), "mcp-python-"));
      process.once("exit", removeFolder);
    }
    const command = await toCommand(channelFolder);
    rmSync(toSocketPath(channelFolder), { force: true });
    const started = new ZygoteProcess(command);
    await started.ready.catch(() => {
      throw cannotStartPython(`Cannot start Python: ${started.lastOutput().split("\n").at(-1)}`);
    });
    return started;
  };
  const keep = async (): Promise<ZygoteProcess> => {
    const known = await zygote?.catch(() => undefined);
    return known === undefined || known.isDead ? start() : known;
  };

  const closeZygote = async (): Promise<void> => {
    const known = await zygote?.catch(() => undefined);
    await known?.close();
  };

  return {
    openChannel: () => {
      guests++;
      clearTimeout(idleTimer);
      const channel = openZygoteChannel({
        guest: ++lastGuest,
        zygote: () => {
          zygote = keep();
          return zygote;
        },
        socketPath: () => toSocketPath(channelFolder),
      });
      channel.onExit(() => {
        if (--guests === 0) idleTimer = setTimeout(() => void closeZygote(), idleMs).unref();
      });
      return channel;
    },
    close: async () => {
      clearTimeout(idleTimer);
      await closeZygote();
      process.removeListener("exit", removeFolder);
      if (channelFolder !== "") removeFolder();
    },
  };
};

export const cannotStartPython = (reason = "Python cannot run here", fix?: string): CoordinatorError =>
  new CoordinatorError("SANDBOX_UNAVAILABLE", reason, fix === undefined ? {} : { hint: fix });
