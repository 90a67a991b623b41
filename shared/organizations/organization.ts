import * as z from 'zod/mini';
import { contactDigestMismatch, digestKeyFingerprint } from '#shared/tokens/contact-digest';
import {
  hasKeyedContacts,
  type OrganizationId,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { dayUseSchema, givenLimitsSchema } from './organization-limits.ts';
import { webhookSubscriptionsSchema } from './webhook-subscriptions.ts';

// How long sends are kept by default: `config/environment.ts`.

const sendingIdentitySchema = z.object({
  domain: z.string(),
  fromEmail: z.string(),
  /** `active` once SES has verified the domain's DKIM records. */
  status: z.enum(['pending', 'active']),
});

/** Whether SES lets the organization send, as its tenant. */
export const tenantStateSchema = z.object({
  sending: z.enum(['enabled', 'paused']),
  /** Why it is paused, in AWS's own words. */
  reason: z.optional(z.string()),
});
export type TenantState = z.infer<typeof tenantStateSchema>;

/** What is tracked in the HTML of emails. What isn't said follows the next wider setting. */
export const trackingSwitches = {
  opens: z.optional(z.boolean()),
  clicks: z.optional(z.boolean()),
};
const trackingSchema = z.object(trackingSwitches);

const widerSetting = z.enum(['policy', 'organization']);
/** What isn't tracked in an email that doesn't say so itself, and which setting does. */
export const untrackedSchema = z.object({
  opens: z.optional(widerSetting),
  clicks: z.optional(widerSetting),
});
export type Untracked = z.infer<typeof untrackedSchema>;

/**
 * `transactional`: what the recipient asked for by acting (a receipt, a password reset).
 * `bulk`: what one can unsubscribe from. A policy with a category respects that subscription too.
 */
export const policySchema = z.object({
  kind: z.enum(['transactional', 'bulk']),
  categoryKey: z.optional(z.string()),
  /** For emails that don't say it themselves. */
  tracking: z.optional(trackingSchema),
  /** `false`: what is sent under it is never kept, whatever `keepContentDays` says. */
  keepsContent: z.optional(z.boolean()),
});
export type Policy = z.infer<typeof policySchema>;

export const noticeEmailStates = ['pending', 'confirmed'] as const;
export type NoticeEmailState = (typeof noticeEmailStates)[number];

export const organizationSchema = z.object({
  id: organizationIdSchema,
  name: z.string(),
  /** A paused organization's sends are refused. */
  paused: z.boolean(),
  attachmentsEnabled: z.boolean(),
  /** The operator has switched off the tracked links in its emails. */
  linksDisabled: z.optional(z.boolean()),
  /** The default domain, for sends that name no From address. */
  identity: z.optional(sendingIdentitySchema),
  /** The domains beside the default. */
  domains: z.optional(z.array(sendingIdentitySchema)),
  /** Counts the changes of `domains` and `tenant`, which each name the count that they read. */
  domainsVersion: z.optional(z.int()),
  /** Shown before the From address: `"Example Ltd" <hello@…>`. */
  senderName: z.optional(z.string()),
  /** Absent: replies go to the From address. */
  replyTo: z.optional(z.string()),
  /** Where the service emails the organization itself, once confirmed. */
  noticeEmail: z.optional(z.string()),
  /** `confirmed` once somebody who reads `noticeEmail` says so. Absent: unconfirmed. */
  noticeEmailState: z.optional(z.enum(noticeEmailStates)),
  /** Identifies this setting of `noticeEmail`, which invalidates links for earlier ones. */
  noticeEmailVersion: z.optional(z.string()),
  /** SES's latest state, once the organization is a tenant. */
  tenant: z.optional(tenantStateSchema),
  /** Goes in the footer of bulk emails, for example the postal address that CAN-SPAM requires. */
  footerText: z.optional(z.string()),
  /** The organization's own unsubscribe page; the service's page redirects to it with the token. */
  unsubscribePageUrl: z.optional(z.url()),
  /** For policies that don't say it themselves. */
  tracking: z.optional(trackingSchema),
  /** Whether transactional emails have List-Unsubscribe headers. Default: yes. */
  transactionalUnsubscribe: z.optional(z.boolean()),
  /** Whether the id alone reads a send made with a key without scopes. Default: yes. */
  keylessReading: z.optional(z.boolean()),
  /** Whether an address alone reads and changes preferences. Defaults to the deployment's setting. */
  preferencesByAddress: z.optional(z.boolean()),
  /** How long sends and their idempotency keys are kept: at most the deployment's retention. */
  sendRetentionDays: z.optional(z.int().check(z.positive())),
  /** How long the contents of sends are kept. Absent: not at all. One of `content/content-kinds.ts`. */
  keepContentDays: z.optional(z.int().check(z.positive())),
  /** The policy of the sends that name none. */
  defaultPolicyKey: z.optional(z.string()),
  /** By key. These override the built-in ones. */
  policies: z.record(z.string(), policySchema),
  webhooks: webhookSubscriptionsSchema,
  /** Where the operator departs from the deployment's limits: `organization-limits.ts`. */
  limits: z.optional(givenLimitsSchema),
  /** Its use of a day as of the last usage count: `usage/day-use.ts`. */
  dayUse: z.optional(dayUseSchema),
  /** Until then it counts as sending more than its share: `usage/fair-share.ts`. Epoch milliseconds. */
  overShareUntil: z.optional(z.int()),
  /** Identifies the key behind its contact ids, if there is one: `digestKeyFingerprint`. */
  contactDigest: z.optional(z.string()),
  /** Seals its list cursors. Never shown. */
  cursorSecret: z.string().check(z.minLength(32)),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Organization = z.infer<typeof organizationSchema>;

export const contactDigestOf = (id: OrganizationId): Pick<Organization, 'contactDigest'> =>
  hasKeyedContacts(id) ? { contactDigest: digestKeyFingerprint() } : {};

/** From which domains it may send, in lower case, the default first. */
export const activeDomainsOf = ({
  identity,
  domains = [],
}: Pick<Organization, 'identity' | 'domains'>): readonly string[] =>
  [...(identity === undefined ? [] : [identity]), ...domains]
    .filter(({ status }) => status === 'active')
    .map(({ domain }) => domain);

/** Nothing goes out unless stored suppressions can be found. */
export function requireSameDigest({ id, contactDigest }: Organization): void {
  if (contactDigestOf(id).contactDigest !== contactDigest) throw contactDigestMismatch();
}

/** Identifies the version, so it's later than the previous one even when clocks differ. */
export const changeTimeOf = ({ updatedAt }: Pick<Organization, 'updatedAt'>, now: number): number =>
  Math.max(now, updatedAt + 1);

/** Retention of sends and everything with them: the deployment's, or fewer days if the organization says so. */
export const retentionDaysOf = (
  organization: Pick<Organization, 'sendRetentionDays'> | undefined,
  deploymentDays: number,
) => Math.min(deploymentDays, organization?.sendRetentionDays ?? Infinity);

const builtInPolicies = new Map<string, Policy>([
  ['transactional', { kind: 'transactional' }],
  ['bulk', { kind: 'bulk' }],
]);

export const builtInDefaultPolicyKey = 'transactional';

/** The policy of a send that names none. */
export const defaultPolicyKeyOf = ({ defaultPolicyKey }: Organization): string =>
  defaultPolicyKey ?? builtInDefaultPolicyKey;

/** Absent without an address. Addresses from before states existed are unconfirmed. */
export const noticeEmailStateOf = ({
  noticeEmail,
  noticeEmailState,
}: Pick<Organization, 'noticeEmail' | 'noticeEmailState'>): NoticeEmailState | undefined =>
  noticeEmail === undefined ? undefined : (noticeEmailState ?? 'pending');

/** Whether send ids are readable without a key if the keys that made them had no scopes. */
export const isKeylessReadingOn = (organization: Organization | undefined): boolean =>
  organization?.keylessReading ?? true;

/** Whether transactional emails can be unsubscribed from with one click. Bulk emails always can. */
export const isTransactionalUnsubscribeOn = ({ transactionalUnsubscribe }: Organization): boolean =>
  transactionalUnsubscribe ?? true;

/** The organization's own first. */
export const policyKeysOf = ({ policies }: Organization): readonly string[] => [
  ...new Set([...Object.keys(policies), ...builtInPolicies.keys()]),
];

/** Whether this is a built-in policy that the organization hasn't replaced. */
export const isBuiltInPolicy = ({ policies }: Organization, key: string): boolean =>
  builtInPolicies.has(key) && !Object.hasOwn(policies, key);

export function findPolicy(organization: Organization, key: string): Policy | undefined {
  return Object.hasOwn(organization.policies, key)
    ? organization.policies[key]
    : builtInPolicies.get(key);
}
