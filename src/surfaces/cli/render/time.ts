// A moment as people write it.

/** Day and minute, in the time of this machine. */
export const renderTime = (moment: string): string => new Date(moment).toLocaleString("sv").slice(0, 16);
