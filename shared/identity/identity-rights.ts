export const looksAfterDomains = [
  'GetEmailIdentity',
  'CreateEmailIdentity',
  'TagResource',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'DeleteEmailIdentity',
] as const;

/** A domain has one owner, claims and a lease. The new owner must still want it. */
export const changesDomains = [
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;

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
export const readsDomain = {
  tableActions: ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  sesActions: [
    'GetEmailIdentity',
    'TagResource',
    'PutEmailIdentityFeedbackAttributes',
    'PutEmailIdentityMailFromAttributes',
    'GetAccount',
  ],
  tenantActions: looksAfterTenants,
  wakesWebhookQueue: true,
} as const;

export const changeErrors = [
  'rate_limited',
  'domain_taken',
  'concurrent_change',
  'identity_rejected',
  'provider_throttled',
  'provider_not_ready',
  'provider_unreachable',
] as const;

export const changesDomain = {
  tableActions: [...changesDomains, 'GetItem'],
  sesActions: [...looksAfterDomains, 'GetAccount'],
  tenantActions: looksAfterTenants,
  wakesWebhookQueue: true,
} as const;

export const deletesDomain = {
  tableActions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  sesActions: ['GetEmailIdentity', 'TagResource', 'DeleteEmailIdentity'],
  tenantActions: ['GetTenant', 'DeleteTenantResourceAssociation'],
} as const;
