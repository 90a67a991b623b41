import * as z from 'zod/mini';
import { contactDigestMismatch, digestKeyFingerprint } from '#shared/tokens/keyed-digest';
import {
  hasKeyedContacts,
  type OrganizationId,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { dayUseSchema, givenLimitsSchema } from './limits-in-force.ts';
import { webhookSubscriptionsSchema } from './webhook-subscriptions.ts';

// How long sends are kept by default: `config/environment.ts`.

const sendingIdentitySchema = z.object({
  domain: z.string(),
  fromEmail: z.string(),
  /** `active` once SES has verified the domain's DKIM records. */
  status: z.enum(['pending', 'active']),
});

/** SES's state of the organization as its tenant. */
export const tenantStateSchema = z.object({
  sending: z.enum(['enabled', 'paused']),
  /** Why it's paused, in AWS's words. */
  reason: z.optional(z.string()),
});
export type TenantState = z.infer<typeof tenantStateSchema>;

/** Switches for HTML. A switch that isn't set follows the next wider setting. */
export const trackingSwitches = {
  opens: z.optional(z.boolean()),
  clicks: z.optional(z.boolean()),
};
const trackingSchema = z.object(trackingSwitches);

const widerSetting = z.enum(['policy', 'organization']);
/** For emails without their own setting: which wider setting turned tracking off. */
export const untrackedSchema = z.object({
  opens: z.optional(widerSetting),
  clicks: z.optional(widerSetting),
});
export type Untracked = z.infer<typeof untrackedSchema>;

/**
 * `transactional`: the recipient asked for it by acting (a receipt, a password reset). `bulk`: recipients can
 * unsubscribe from it. A policy with a category respects that subscription too.
 */
export const policySchema = z.object({
  kind: z.enum(['transactional', 'bulk']),
  categoryKey: z.optional(z.string()),
  /** For emails without their own setting. */
  tracking: z.optional(trackingSchema),
  /** `false` overrides `keepContentDays`. */
  keepsContent: z.optional(z.boolean()),
});
export type Policy = z.infer<typeof policySchema>;

const noticeEmailStates = ['pending', 'confirmed'] as const;

export const organizationSchema = z.object({
  id: organizationIdSchema,
  name: z.string(),
  /** Its sends are refused. */
  paused: z.boolean(),
  attachmentsEnabled: z.boolean(),
  /** Set by the operator: the tracked links in its emails lead nowhere. */
  linksDisabled: z.optional(z.boolean()),
  /** Serves the links of its next emails: one of the deployment's `linkDomains`. */
  linkDomain: z.optional(z.string()),
  /** Links in its earlier emails still lead there. */
  formerLinkDomains: z.optional(z.array(z.string())),
  /** For sends that name no From address. */
  identity: z.optional(sendingIdentitySchema),
  /** Domains beside the default. */
  domains: z.optional(z.array(sendingIdentitySchema)),
  /** Counts the changes of `domains` and `tenant`; each change names the count that it read. */
  domainsVersion: z.optional(z.int()),
  /** Shown before the From address: `"Example Ltd" <hello@…>`. */
  senderName: z.optional(z.string()),
  /** Absent if replies go to the From address. */
  replyTo: z.optional(z.string()),
  /** Where the service emails the organization itself, once confirmed. */
  noticeEmail: z.optional(z.string()),
  /** Beside every `noticeEmail`: `confirmed` once somebody who reads it says so. */
  noticeEmailState: z.optional(z.enum(noticeEmailStates)),
  /** Identifies this setting of `noticeEmail`, which invalidates links for earlier ones. */
  noticeEmailVersion: z.optional(z.string()),
  /** SES's latest state, once the organization is a tenant. */
  tenant: z.optional(tenantStateSchema),
  /** Used in bulk emails, for example for the postal address that CAN-SPAM requires. */
  footerText: z.optional(z.string()),
  /** The organization's own unsubscribe page; the service's page redirects to it with the token. */
  unsubscribePageUrl: z.optional(z.url()),
  /** For policies without their own setting. */
  tracking: z.optional(trackingSchema),
  /** Default: yes. */
  transactionalUnsubscribe: z.optional(z.boolean()),
  /** Whether the id alone reads a send made with a key without scopes. Default: no. */
  keylessReading: z.optional(z.boolean()),
  /** Whether an address alone reads and changes preferences. Default: the deployment's setting. */
  preferencesByAddress: z.optional(z.boolean()),
  /** For sends and their idempotency keys: at most the deployment's retention. */
  sendRetentionDays: z.optional(z.int().check(z.positive())),
  /** One of `stored-content/content-lifetimes.ts`. Absent if contents aren't kept. */
  keepContentDays: z.optional(z.int().check(z.positive())),
  /** Whether names and types of refused bodies are kept: `access/body-shape.ts`. Default: no. */
  keepRefusedShapes: z.optional(z.boolean()),
  defaultPolicyKey: z.optional(z.string()),
  /** By key. These override the built-in ones. */
  policies: z.record(z.string(), policySchema),
  webhooks: webhookSubscriptionsSchema,
  /** Differences from the deployment's limits: `organization-limits.ts`. */
  limits: z.optional(givenLimitsSchema),
  /** Its use of a day as of the last usage count: `usage/fair-share.ts`. */
  dayUse: z.optional(dayUseSchema),
  /** Epoch milliseconds. Until then it sends more than its share: `usage/fair-share.ts`. */
  overShareUntil: z.optional(z.int()),
  /** Fingerprint of the key behind its contact ids, if there is one: `digestKeyFingerprint`. */
  contactDigest: z.optional(z.string()),
  /** Seals its list cursors. Never shown. */
  cursorSecret: z.string().check(z.minLength(32)),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Organization = z.infer<typeof organizationSchema>;

export const contactDigestOf = (id: OrganizationId): Pick<Organization, 'contactDigest'> =>
  hasKeyedContacts(id) ? { contactDigest: digestKeyFingerprint() } : {};

/** In lower case, the default first. */
export const activeDomainsOf = ({
  identity,
  domains = [],
}: Pick<Organization, 'identity' | 'domains'>): readonly string[] =>
  [...(identity === undefined ? [] : [identity]), ...domains]
    .filter(({ status }) => status === 'active')
    .map(({ domain }) => domain);

/**
 * With another digest, stored contacts and suppressions wouldn't be found, and new ones would be stored beside them.
 */
export function requireSameDigest({
  id,
  contactDigest,
}: Pick<Organization, 'id' | 'contactDigest'>): void {
  if (contactDigestOf(id).contactDigest !== contactDigest) throw contactDigestMismatch();
}

/** Identifies the version: always later than the previous one, even if clocks differ. */
export const changeTimeOf = ({ updatedAt }: Pick<Organization, 'updatedAt'>, now: number): number =>
  Math.max(now, updatedAt + 1);

export const retentionDaysOf = (
  organization: Pick<Organization, 'sendRetentionDays'> | undefined,
  deploymentDays: number,
) => Math.min(deploymentDays, organization?.sendRetentionDays ?? Infinity);

const builtInPolicies = new Map<string, Policy>([
  ['transactional', { kind: 'transactional' }],
  ['bulk', { kind: 'bulk' }],
]);

export const builtInDefaultPolicyKey = 'transactional';

export const defaultPolicyKeyOf = ({ defaultPolicyKey }: Organization): string =>
  defaultPolicyKey ?? builtInDefaultPolicyKey;

/** Whether send ids can be read without a key if the keys that made them had no scopes. */
export const isKeylessReadingOn = (organization: Organization | undefined): boolean =>
  organization?.keylessReading ?? false;

/** Bulk emails always have one-click unsubscribe. */
export const isTransactionalUnsubscribeOn = ({ transactionalUnsubscribe }: Organization): boolean =>
  transactionalUnsubscribe ?? true;

/** The organization's own first. */
export const policyKeysOf = ({ policies }: Organization): readonly string[] => [
  ...new Set([...Object.keys(policies), ...builtInPolicies.keys()]),
];

export const isBuiltInPolicy = ({ policies }: Organization, key: string): boolean =>
  builtInPolicies.has(key) && !Object.hasOwn(policies, key);

export function findPolicy(organization: Organization, key: string): Policy | undefined {
  return Object.hasOwn(organization.policies, key)
    ? organization.policies[key]
    : builtInPolicies.get(key);
}
