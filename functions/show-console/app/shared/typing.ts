/** A search begins by itself with this many letters… */
export const leastTyped = 3;

/** …and once the person has paused for as long. */
export const typingMs = 250;
