// Skills in plain files fulfil the contract.
import { join } from "node:path";
import { openSkills } from "../../../src/store/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeSkills } from "./skills-contract.js";

describeSkills("skills as files", async () => {
  const folder = join(await temporaryFolder(), "skills");
  const openAgain = async () => openSkills({ folder });
  return { store: await openAgain(), openAgain };
});
