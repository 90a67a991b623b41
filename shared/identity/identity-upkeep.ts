import { capability } from '#shared/aws/capability';
import { knowsRetention } from '#shared/aws/settings';
import { sesAnswerEnvironment } from '#shared/config/environment';
import { asksDns, type DnsLookup } from '#shared/domains/dns-lookup';
import { type SesIdentities, worksOnSesIdentities } from '#shared/domains/ses-identities';
import { type SesTenants, worksOnSesTenants } from '#shared/domains/ses-tenants';
import type { TableAndClock } from '#shared/table/table-client';
import { type WakeQueue, wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

/** What looking after an organization's domains takes. */
export type IdentityUpkeep = TableAndClock & {
  readonly ses: SesIdentities;
  /** Only if organizations are SES tenants. */
  readonly tenants: SesTenants | undefined;
  readonly dns: DnsLookup;
  readonly wakeQueue: WakeQueue;
  /** At most; an organization may keep its messages for fewer days. */
  readonly sendRetentionDays: number;
  /** How long SES's answer is shown before SES is asked again. */
  readonly answerKeptMs: number;
};

const knowsAnswerTime = /* @__PURE__ */ capability(
  { environment: sesAnswerEnvironment },
  ({ SES_ANSWER_SECONDS }) => SES_ANSWER_SECONDS * 1000,
);

/** An organization becomes a tenant with its domain, and loses the domain before SES does. */
export const looksAfterTenants = [
  'CreateTenant',
  'GetTenant',
  'GetReputationEntity',
  'PutTenantSuppressionAttributes',
  'CreateTenantResourceAssociation',
  'DeleteTenantResourceAssociation',
] as const;

/** Reading a domain also stores the findings. */
export const readsDomains = {
  ses: /* @__PURE__ */ worksOnSesIdentities([
    'GetEmailIdentity',
    'TagResource',
    'PutEmailIdentityFeedbackAttributes',
    'PutEmailIdentityMailFromAttributes',
    'GetAccount',
  ]),
  tenants: /* @__PURE__ */ worksOnSesTenants(looksAfterTenants),
  dns: asksDns,
  wakeQueue: wakesWebhooks,
  sendRetentionDays: knowsRetention,
  answerKeptMs: knowsAnswerTime,
};

export const domainReads = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
] as const;

export const looksAfterDomains = [
  'GetEmailIdentity',
  'CreateEmailIdentity',
  'TagResource',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'DeleteEmailIdentity',
] as const;

export const changesDomains = {
  ses: /* @__PURE__ */ worksOnSesIdentities([...looksAfterDomains, 'GetAccount']),
  tenants: /* @__PURE__ */ worksOnSesTenants(looksAfterTenants),
  dns: asksDns,
  wakeQueue: wakesWebhooks,
  sendRetentionDays: knowsRetention,
  answerKeptMs: knowsAnswerTime,
};

/** A domain has one owner, claims and a lease. The new owner must still want it. */
export const upkeepActions = [
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;
export const domainChanges = [...upkeepActions, 'GetItem'] as const;

export const changeErrors = [
  'rate_limited',
  'domain_taken',
  'concurrent_change',
  'identity_rejected',
  'provider_throttled',
  'provider_not_ready',
  'provider_unreachable',
] as const;

export const removesDomains = {
  ses: /* @__PURE__ */ worksOnSesIdentities([
    'GetEmailIdentity',
    'TagResource',
    'DeleteEmailIdentity',
  ]),
  tenants: /* @__PURE__ */ worksOnSesTenants(['GetTenant', 'DeleteTenantResourceAssociation']),
};

export const domainRemovals = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;
