// The plain-file store fulfils the contract.
import { defaultLimits } from "../../../src/contracts/index.js";
import { openStore } from "../../../src/store/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeStore } from "./store-contract.js";

describeStore("the file store", async (limits = {}) => {
  const folder = await temporaryFolder();
  const openAgain = async () => openStore({ folder, limits: { ...defaultLimits, ...limits } });
  return { store: await openAgain(), openAgain };
});

describeStore("the file store that waits for the disk", async (limits = {}) => {
  const folder = await temporaryFolder();
  const openAgain = async () =>
    openStore({ folder, limits: { ...defaultLimits, ...limits }, isSynced: true });
  return { store: await openAgain(), openAgain };
});
