// Loads one file of the guest's world into the test's own Node: it has no types for the host, only for guests.
export const importWorld = async <Module>(name: string): Promise<Module> =>
  import(new URL(`../../../../src/executors/guest-world/${name}`, import.meta.url).href);
