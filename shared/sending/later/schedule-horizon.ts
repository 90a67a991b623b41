/** How far ahead an email may be scheduled. Its content is stored for longer: `waitingDays`. */
export const longestAheadDays = 30;

/** How long something other than SES may hold it up, once it's due. */
export const longestHeldUpDays = 2;
