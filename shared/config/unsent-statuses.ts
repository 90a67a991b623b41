/** A send that has ended, and SES took nothing of it. The table's stream is filtered by these. */
export const unsentStatuses = ['suppressed', 'failed', 'canceled'] as const;
