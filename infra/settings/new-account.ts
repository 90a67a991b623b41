/** What a new account may run at once, until AWS raises it. Less isn't possible. */
export const newAccountConcurrency = 10;
