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
  /** The From address of every email of the organization. */
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

/**
 * `transactional`: what the recipient asked for by acting (a receipt, a password reset).
 * `bulk`: what one can unsubscribe from. A policy with a category respects that subscription too.
 */
export const policySchema = z.object({
  kind: z.enum(['transactional', 'bulk']),
  categoryKey: z.optional(z.string()),
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
  identity: z.optional(sendingIdentitySchema),
  /** Stands before the From address: `"Example Ltd" <hello@…>`. */
  senderName: z.optional(z.string()),
  /** Where answers to its emails go. Without it they go to the From address. */
  replyTo: z.optional(z.string()),
  /** Where the service writes to the organization itself, once it is confirmed. */
  noticeEmail: z.optional(z.string()),
  /** `confirmed` once somebody who reads `noticeEmail` has said so. Absent beside an address: nobody has. */
  noticeEmailState: z.optional(z.enum(noticeEmailStates)),
  /** Names this setting of `noticeEmail`, so that the link of an earlier one is good for nothing. */
  noticeEmailVersion: z.optional(z.string()),
  /** Once the organization is a tenant of SES, as SES said last. */
  tenant: z.optional(tenantStateSchema),
  /** Stands in the footer of bulk emails, for example the postal address that CAN-SPAM asks for. */
  footerText: z.optional(z.string()),
  /** The organization's own unsubscribe page; the service's page redirects to it with the token. */
  unsubscribePageUrl: z.optional(z.url()),
  /** Whether the id alone reads a send that was made with a key without scopes. Absent: it does. */
  keylessReading: z.optional(z.boolean()),
  /** Whether an address alone reads and changes preferences; as the deployment has it unless it says. */
  preferencesByAddress: z.optional(z.boolean()),
  /** How long its sends, and with them their idempotency keys, are remembered: no longer than the deployment's. */
  sendRetentionDays: z.optional(z.int().check(z.positive())),
  /** The policy of the sends that name none. */
  defaultPolicyKey: z.optional(z.string()),
  /** The organization's own policies by key; they come before the built-in ones. */
  policies: z.record(z.string(), policySchema),
  webhooks: webhookSubscriptionsSchema,
  /** What the operator lets it use, where that differs from the deployment's limits: `organization-limits.ts`. */
  limits: z.optional(givenLimitsSchema),
  /** What it had used of a day when the counting of usage last looked: `usage/day-use.ts`. */
  dayUse: z.optional(dayUseSchema),
  /** Until then it counts as sending more than its share: `usage/fair-share.ts`. Epoch milliseconds. */
  overShareUntil: z.optional(z.int()),
  /** Which key the ids of its contacts are made with, if they are: `digestKeyFingerprint`. */
  contactDigest: z.optional(z.string()),
  /** Seals the cursors of its lists. Nobody is shown it. */
  cursorSecret: z.string().check(z.minLength(32)),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Organization = z.infer<typeof organizationSchema>;

/** What a new organization stores of the key that the ids of its contacts are made with. */
export const contactDigestOf = (id: OrganizationId): Pick<Organization, 'contactDigest'> =>
  hasKeyedContacts(id) ? { contactDigest: digestKeyFingerprint() } : {};

/**
 * Nothing goes out unless the suppressions that are stored can be found.
 *
 * @throws ServiceError `contact_digest_mismatch`
 */
export function requireSameDigest({ id, contactDigest }: Organization): void {
  if (contactDigestOf(id).contactDigest !== contactDigest) throw contactDigestMismatch();
}

/**
 * The `updatedAt` of a change. It identifies the version, so it is later than the one before even when
 * clocks differ.
 */
export const changeTimeOf = ({ updatedAt }: Pick<Organization, 'updatedAt'>, now: number): number =>
  Math.max(now, updatedAt + 1);

/**
 * For how many days the organization's sends and all that goes with them are remembered: those of the
 * deployment, or fewer of its own.
 */
export const retentionDaysOf = (organization: Organization | undefined, deploymentDays: number) =>
  Math.min(deploymentDays, organization?.sendRetentionDays ?? Infinity);

const builtInPolicies = new Map<string, Policy>([
  ['transactional', { kind: 'transactional' }],
  ['bulk', { kind: 'bulk' }],
]);

export const builtInDefaultPolicyKey = 'transactional';

/** The policy of a send that names none. */
export const defaultPolicyKeyOf = ({ defaultPolicyKey }: Organization): string =>
  defaultPolicyKey ?? builtInDefaultPolicyKey;

/** Absent without an address. An address that was set before there were states has none: nobody has confirmed it. */
export const noticeEmailStateOf = ({
  noticeEmail,
  noticeEmailState,
}: Pick<Organization, 'noticeEmail' | 'noticeEmailState'>): NoticeEmailState | undefined =>
  noticeEmail === undefined ? undefined : (noticeEmailState ?? 'pending');

/** Whether the ids of sends are readable without a key, as far as the keys that made them had no scopes. */
export const isKeylessReadingOn = (organization: Organization | undefined): boolean =>
  organization?.keylessReading ?? true;

/** The keys of all policies that the organization has, its own first. */
export const policyKeysOf = ({ policies }: Organization): readonly string[] => [
  ...new Set([...Object.keys(policies), ...builtInPolicies.keys()]),
];

/** Whether the policy of that key comes with the service, and the organization has none in its place. */
export const isBuiltInPolicy = ({ policies }: Organization, key: string): boolean =>
  builtInPolicies.has(key) && !Object.hasOwn(policies, key);

/** The policy of that key, `undefined` when the organization has none of the name. */
export function findPolicy(organization: Organization, key: string): Policy | undefined {
  return Object.hasOwn(organization.policies, key)
    ? organization.policies[key]
    : builtInPolicies.get(key);
}
