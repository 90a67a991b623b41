type Limit = { readonly default: number | undefined; readonly most: number };

/**
 * No honest team reaches the defaults. The deployment may override them, and the operator again per organization, each
 * up to `most`.
 *
 * Exceeding a rate or daily limit gets 429; exceeding a number of things gets 409.
 */
export const organizationLimits = {
  /** Recipients per second, over ten seconds. Absent: only SES's rate for the account applies. */
  sendsPerSecond: { default: undefined, most: 500 },
  /**
   * Recipients per UTC day, and emails stored in it, delivered or not. Enforced some seconds late: see
   * `usage/fair-share.ts`.
   */
  recipientsPerDay: { default: 10_000_000, most: 1_000_000_000 },
  /** Valid keys. Listed keys, including revoked and expired ones, may be ten times as many. */
  apiKeys: { default: 100, most: 1_000 },
  templates: { default: 1_000, most: 10_000 },
  /** No more than a send's transaction has room for: each gets a delivery in it. */
  webhooks: { default: 20, most: 20 },
  /** The organization's own policies. They are stored on it, and every send reads them. */
  policies: { default: 50, most: 50 },
  categories: { default: 100, most: 100 },
  /** Stored on the organization, so every send reads them. */
  domains: { default: 20, most: 50 },
  /** Requested in a UTC day, and kept for a day. Templates need no such limit: their number and sizes are limited. */
  uploadBytesPerDay: { default: 100_000_000_000, most: 100_000_000_000_000 },
  /**
   * API changes, which the audit keeps for 400 days. Revoking a key, signing in and out, and canceling a send never
   * count.
   */
  changesPerDay: { default: 10_000, most: 1_000_000 },
  /**
   * Addresses in imported files, those that a key unsubscribes, and unknown ones that are erased. Manual suppressions
   * count as changes, sends as daily recipients.
   */
  contactsPerDay: { default: 1_000_000, most: 100_000_000 },
  /**
   * Bytes of emails stored in a UTC day to go out later: a million of 20 KB. Recipients per day only count when an
   * email goes out, up to 30 days later.
   */
  waitingBytesPerDay: { default: 20_000_000_000, most: 100_000_000_000_000 },
  /** Webhook messages that requests ask for: tests, and deliveries to repeat. Events' own deliveries never count. */
  requestedDeliveriesPerDay: { default: 100_000, most: 10_000_000 },
  /** Sign-in links. Signing in with the key itself never counts, so it locks no one out. */
  signInLinksPerDay: { default: 100, most: 10_000 },
} as const satisfies Readonly<Record<string, Limit>>;
export type LimitName = keyof typeof organizationLimits;

/** From this share of a daily limit on, an organization is warned that the rest may not last. */
export const quotaNearPercent = 80;

export const eachLimit = <Thing>(of: (name: LimitName) => Thing): Record<LimitName, Thing> => ({
  sendsPerSecond: of('sendsPerSecond'),
  recipientsPerDay: of('recipientsPerDay'),
  apiKeys: of('apiKeys'),
  templates: of('templates'),
  webhooks: of('webhooks'),
  policies: of('policies'),
  categories: of('categories'),
  domains: of('domains'),
  uploadBytesPerDay: of('uploadBytesPerDay'),
  changesPerDay: of('changesPerDay'),
  contactsPerDay: of('contactsPerDay'),
  waitingBytesPerDay: of('waitingBytesPerDay'),
  requestedDeliveriesPerDay: of('requestedDeliveriesPerDay'),
  signInLinksPerDay: of('signInLinksPerDay'),
});
