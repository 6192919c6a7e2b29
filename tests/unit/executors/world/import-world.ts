// Loads one file of the guest world into the test's own Node: its types are for guests, not for the host.
export const importWorld = async <Module>(name: string): Promise<Module> =>
  import(new URL(`../../../../src/executors/guests/typescript/world/${name}`, import.meta.url).href);
