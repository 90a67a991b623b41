type Limit = { readonly default: number | undefined; readonly most: number };

/**
 * What an organization may use, so that no tenant takes what belongs to all. A single honest team never reaches the
 * defaults. The deployment may set others, and the operator others again for one organization, each up to `most`.
 *
 * A request over a rate or a day's limit gets 429, over a number of things 409.
 */
export const organizationLimits = {
  /** Recipients a second, over ten seconds. Without it SES's own rate for the account is the limit. */
  sendsPerSecond: { default: undefined, most: 500 },
  /** Recipients of a day in UTC. It holds some seconds late: see `usage/day-use.ts`. */
  recipientsPerDay: { default: 10_000_000, most: 1_000_000_000 },
  /** Keys that are valid. Those that are listed, revoked and expired ones too, may be ten times as many. */
  apiKeys: { default: 100, most: 1_000 },
  templates: { default: 1_000, most: 10_000 },
  /** As many rows go into a send's transaction. */
  webhooks: { default: 20, most: 20 },
  /** Of its own. They stand on the organization, which each send reads. */
  policies: { default: 50, most: 50 },
  categories: { default: 100, most: 100 },
  /**
   * Bytes of the uploads that are asked for in a day in UTC. They are kept for a day. Templates need no such limit:
   * their number has one, and so has the size of each.
   */
  uploadBytesPerDay: { default: 100_000_000_000, most: 100_000_000_000_000 },
  /** Changes by the API that the audit keeps for 400 days. Revoking a key and signing out never count. */
  changesPerDay: { default: 10_000, most: 1_000_000 },
  /** Addresses in imported files. One suppressed by hand is a change, and one that is sent to a recipient of the day. */
  contactsPerDay: { default: 1_000_000, most: 100_000_000 },
} as const satisfies Readonly<Record<string, Limit>>;
export type LimitName = keyof typeof organizationLimits;

/** Something for each limit, by its name. */
export const eachLimit = <Thing>(of: (name: LimitName) => Thing): Record<LimitName, Thing> => ({
  sendsPerSecond: of('sendsPerSecond'),
  recipientsPerDay: of('recipientsPerDay'),
  apiKeys: of('apiKeys'),
  templates: of('templates'),
  webhooks: of('webhooks'),
  policies: of('policies'),
  categories: of('categories'),
  uploadBytesPerDay: of('uploadBytesPerDay'),
  changesPerDay: of('changesPerDay'),
  contactsPerDay: of('contactsPerDay'),
});
