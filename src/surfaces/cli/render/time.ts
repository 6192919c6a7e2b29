// Renders a point in time for people.

/** Date and minute, in local time. */
export const renderTime = (moment: string): string => new Date(moment).toLocaleString("sv").slice(0, 16);
